"""What surrounds the text on the sample web sites: menus, notices, asides and footers.

None of it belongs to a document. It is here to be taken out again: two pages of one
site share all of it and nothing else. Keys are `<template>-<language>`.
"""

from dataclasses import dataclass


@dataclass
class Phrases:
    """Texts around the article of one site in one language."""

    site: str
    menu: list
    search: str
    skip: str
    cookies: str
    accept: str
    related: str
    links: list
    letter: str
    footer: str


SITES = {
    "magazine-en": Phrases(
        "Lantern Almanac",
        ["Home", "Garden", "Kitchen", "Coast", "People", "About us"],
        "Search the almanac",
        "Skip to content",
        "We use cookies to remember which lamp you left on. You may accept them all or choose for yourself.",
        "Accept all cookies",
        "Readers also liked",
        ["Ten windows facing north", "The bakers of Mill Lane", "An alphabet of fog"],
        "Our letter comes on the first Monday of the month, with a recipe, a map and a mistake from the last issue. Enter your address to subscribe.",
        "Lantern Almanac is made by a handful of people in a former chandlery. Imprint, privacy, terms of use, advertising, jobs. All pages may be shared freely.",
    ),
    "journal-en": Phrases(
        "Lantern Quarterly",
        ["Current issue", "All issues", "For authors", "For reviewers", "Editorial board", "Log in"],
        "Search articles",
        "Skip to article",
        "This journal stores a small file on your device so that you need not log in twice.",
        "I understand",
        "Article tools",
        ["Download citation", "Email this article", "Request permissions", "Report a problem"],
        "Alerts are sent when a new issue appears. Register or log in to receive them.",
        "Lantern Quarterly is a peer reviewed journal without fees for readers or authors. Contact the editors, accessibility statement, archiving policy, publication ethics.",
    ),
    "docs-de": Phrases(
        "Feldmann Messgeräte, Hilfe und Anleitungen",
        ["Übersicht", "Geräte", "Ersatzteile", "Häufige Fragen", "Kundendienst", "Anmelden"],
        "Anleitungen durchsuchen",
        "Zum Inhalt springen",
        "Diese Seite verwendet Cookies, damit Ihre Einstellungen erhalten bleiben. Näheres steht in der Datenschutzerklärung.",
        "Einverstanden",
        "Auch interessant",
        ["Hygrometer richtig aufhängen", "Wann ist Messgenauigkeit wichtig?", "Altgeräte zurückgeben"],
        "Der Rundbrief erscheint viermal im Jahr und lässt sich jederzeit abbestellen.",
        "Impressum, Datenschutz, Allgemeine Geschäftsbedingungen, Barrierefreiheit. Telefonische Beratung montags bis freitags von neun bis sechzehn Uhr. Alle Angaben ohne Gewähr.",
    ),
    "magazine-fr": Phrases(
        "L'Almanach de la Lanterne",
        ["Accueil", "Jardin", "Cuisine", "Rivages", "Portraits", "Qui sommes-nous"],
        "Chercher dans l'almanach",
        "Aller au contenu",
        "Nous utilisons des témoins de connexion pour nous souvenir de vos préférences. Vous pouvez les accepter ou les refuser.",
        "Tout accepter",
        "À lire aussi",
        ["Dix fenêtres au nord", "Les boulangers de la rue du Moulin", "Petit abécédaire du brouillard"],
        "Notre lettre paraît le premier lundi du mois, avec une recette, une carte et une erreur du numéro précédent.",
        "Mentions légales, confidentialité, conditions d'utilisation, publicité, nous rejoindre. L'Almanach de la Lanterne est fabriqué par une poignée de personnes dans une ancienne corderie.",
    ),
    "council-es": Phrases(
        "Ayuntamiento de Villaclara del Río",
        ["Inicio", "Sede electrónica", "Trámites", "Agenda", "Turismo", "Transparencia"],
        "Buscar en la web municipal",
        "Saltar al contenido principal",
        "Utilizamos cookies propias para mejorar la navegación y obtener estadísticas anónimas. Puede configurarlas o rechazarlas.",
        "Aceptar todas",
        "Le puede interesar",
        [
            "Calendario del contribuyente",
            "Recogida de muebles y enseres",
            "Farmacias de guardia",
            "Horario del autobús urbano",
        ],
        "Atención ciudadana de lunes a viernes, de nueve a dos, en la plaza de la Constitución. Se recomienda pedir cita previa.",
        "Aviso legal, política de privacidad, accesibilidad, mapa del sitio, registro de facturas, perfil del contratante, buzón de quejas y sugerencias. Síganos en las redes sociales.",
    ),
    "magazine-ru": Phrases(
        "Альманах «Фонарь»",
        ["Главная", "Сад", "Кухня", "Берега", "Люди", "О нас"],
        "Поиск по альманаху",
        "Перейти к тексту",
        "Мы используем файлы cookie, чтобы помнить ваши настройки. Оставаясь на сайте, вы соглашаетесь с этим.",
        "Согласен",
        "Читайте также",
        ["Десять окон на север", "Пекари Мельничного переулка", "Азбука тумана"],
        "Наше письмо приходит в первый понедельник месяца: рецепт, карта и одна ошибка из прошлого номера.",
        "Выходные данные, конфиденциальность, условия использования, реклама, вакансии. Альманах «Фонарь» делают несколько человек в бывшей свечной лавке.",
    ),
    "magazine-zh": Phrases(
        "灯笼年鉴",
        ["首页", "花园", "厨房", "海岸", "人物", "关于我们"],
        "搜索年鉴",
        "跳到正文",
        "本网站使用小型文本文件来记住您的设置，继续浏览即表示您同意。",
        "全部接受",
        "读者还喜欢",
        ["十扇朝北的窗", "磨坊巷的面包师", "雾的字母表"],
        "每月第一个星期一，我们会寄出一封信，里面有一份菜谱、一张地图和上一期的一个错误。欢迎订阅。",
        "版权信息、隐私政策、使用条款、广告合作、招聘信息。灯笼年鉴由几个人在一间旧蜡烛铺里编辑制作。",
    ),
    "magazine-ja": Phrases(
        "ランタン年鑑",
        ["ホーム", "庭", "台所", "海辺", "人びと", "私たちについて"],
        "年鑑を検索",
        "本文へ移動",
        "当サイトでは設定を記憶するためにクッキーを使用しています。閲覧を続けると同意したものとみなします。",
        "すべて許可する",
        "こちらもおすすめ",
        ["北向きの十の窓", "水車小路のパン屋たち", "霧のいろは"],
        "毎月最初の月曜日に、レシピと地図と前号の間違いを一つ添えたお便りをお届けします。ぜひご登録ください。",
        "運営者情報、個人情報の取り扱い、利用規約、広告掲載、採用情報。ランタン年鑑は元ろうそく屋の二階で数人が作っています。",
    ),
    "magazine-ar": Phrases(
        "تقويم الفانوس",
        ["الرئيسية", "الحديقة", "المطبخ", "السواحل", "وجوه", "من نحن"],
        "ابحث في التقويم",
        "انتقل إلى المحتوى",
        "نستخدم ملفات تعريف الارتباط لحفظ إعداداتك. يمكنك قبولها كلها أو اختيار ما تشاء منها.",
        "قبول الكل",
        "قد يعجبك أيضا",
        ["عشر نوافذ نحو الشمال", "خبازو حارة الطاحونة", "أبجدية الضباب"],
        "تصل رسالتنا في أول اثنين من كل شهر، وفيها وصفة وخريطة وخطأ من العدد السابق.",
        "بيانات الناشر، الخصوصية، شروط الاستخدام، الإعلانات، الوظائف. يصنع تقويم الفانوس عدد قليل من الناس في دكان شموع قديم.",
    ),
    "magazine-hi": Phrases(
        "लालटेन पंचांग",
        ["मुखपृष्ठ", "बगीचा", "रसोई", "तट", "लोग", "हमारे बारे में"],
        "पंचांग में खोजें",
        "मुख्य सामग्री पर जाएँ",
        "यह साइट आपकी पसंद याद रखने के लिए कुकी का उपयोग करती है। आप चाहें तो इन्हें अस्वीकार कर सकते हैं।",
        "सब स्वीकार करें",
        "यह भी पढ़ें",
        ["उत्तर की ओर दस खिड़कियाँ", "चक्की वाली गली के नानबाई", "कोहरे की वर्णमाला"],
        "हमारी चिट्ठी हर महीने के पहले सोमवार को आती है, एक व्यंजन, एक नक्शे और पिछले अंक की एक भूल के साथ।",
        "प्रकाशक की जानकारी, निजता नीति, उपयोग की शर्तें, विज्ञापन, नौकरियाँ। लालटेन पंचांग को कुछ लोग मोमबत्तियों की एक पुरानी दुकान में बनाते हैं।",
    ),
    "magazine-ko": Phrases(
        "등불 연감",
        ["첫 화면", "정원", "부엌", "바닷가", "사람들", "소개"],
        "연감 검색",
        "본문으로 건너뛰기",
        "이 사이트는 설정을 기억하기 위해 쿠키를 사용합니다. 모두 허용하거나 직접 고를 수 있습니다.",
        "모두 허용",
        "함께 읽으면 좋은 글",
        ["북쪽으로 난 열 개의 창", "방앗간 골목의 빵집들", "안개의 가나다"],
        "매달 첫 월요일에 요리법과 지도, 그리고 지난 호의 실수 하나를 담은 편지를 보내 드립니다.",
        "발행 정보, 개인정보 처리방침, 이용 약관, 광고 문의, 채용 안내. 등불 연감은 오래된 양초 가게에서 몇 사람이 만듭니다.",
    ),
}
