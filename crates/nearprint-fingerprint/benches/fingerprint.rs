//! Throughput from text in memory to fingerprint, all stages, one core; by script. Texts are made by rule: words by
//! falling frequency, sentences of 6 to 25 words, some commas and numbers.
//!
//! `cargo bench -p nearprint-fingerprint`

use divan::Bencher;
use divan::counter::BytesCount;
use nearprint_fingerprint::{Fingerprinter, Scheme, fingerprint, tokens};

fn main() {
    divan::main();
}

/// 4 MiB: beyond the second level of cache, as documents that were just read are.
const BYTES: usize = 4 << 20;

const LANGUAGES: [&Language; 6] = [&ENGLISH, &GERMAN, &RUSSIAN, &ARABIC, &HINDI, &CHINESE];

struct Language {
    name: &'static str,
    /// By falling frequency.
    words: &'static str,
    between: &'static str,
    comma: &'static str,
    stop: &'static str,
}

impl std::fmt::Display for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

static ENGLISH: Language = Language {
    name: "English",
    words: "the of and to a in is it that was for on with as he be at by his this had not are but from or have an they which one you were her all she there would their we him been has when who will more no if out so said what up its about into than them can only other new some could time these two may then do first any my now such like our over man me even most made after also did many before must through back years where much your way well down should because each just those people how too little state good very make world still own see men work long get here between both life being under never day same another know while last might us great old year off come since against go came right used take three states himself few house use during without again place around however home small found thought went say part once general high upon school every different information development government community understanding particularly international administration responsibility",
    between: " ",
    comma: ", ",
    stop: ". ",
};

static GERMAN: Language = Language {
    name: "German",
    words: "die der und in zu den das nicht von sie ist des sich mit dem dass er es ein ich auf so eine auch als an nach wie im für man aber aus durch wenn nur war noch werden bei hat wir was wird sein einen welche sind oder zur um haben einer mir über ihm diese einem ihr uns da zum kann doch vor dieser mich ihn du hatte seine mehr am denn nun unter sehr selbst schon hier bis habe ihre dann ihnen seiner alle wieder meine zeit gegen vom ganz einzelnen wo muss ohne eines können sei Straße Größe Übersetzung möglich während größer schließlich Geschichte Gesellschaft Entwicklung Verwaltung Verantwortung Zusammenhang Unterschied",
    between: " ",
    comma: ", ",
    stop: ". ",
};

static RUSSIAN: Language = Language {
    name: "Russian",
    words: "и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой её так от как для вы ещё все год мочь человек такой о сказать только или себя один если уже время когда другой вот наш говорить знать стать при чтобы дело жизнь кто первый очень два день рука новый даже во со раз где там под можно ну какой после их работа без самый потом надо хотеть ли слово идти большой должен место иметь ничто ответить общий государство развитие образование деятельность правительство необходимость производство",
    between: " ",
    comma: ", ",
    stop: ". ",
};

static ARABIC: Language = Language {
    name: "Arabic",
    words: "في من على أن إلى التي عن هذا الذي ما لا كان مع أو هذه كل بعد ذلك قد بين عند لم حتى إذا ثم كما هو هي أكثر غير العالم اليوم الدولة الناس الحياة العمل الوقت المجتمع التعليم الحكومة التنمية المعلومات",
    between: " ",
    comma: "، ",
    stop: ". ",
};

static HINDI: Language = Language {
    name: "Hindi",
    words: "के है में की से और का को हैं पर इस एक यह ने भी कि नहीं हो ही था कर तो किया लिए जो अपने साथ गया तक बाद या कुछ थे अब दिया वह रहे जा रहा करने होता उनके जाता बहुत सकता समय लोग लोगों दिन काम देश सरकार जीवन शिक्षा विकास समाज भारत हिन्दी भाषा प्रकार प्रयोग संसार व्यवस्था विश्वविद्यालय अन्तर्राष्ट्रीय उत्तरदायित्व",
    between: " ",
    comma: ", ",
    stop: "। ",
};

static CHINESE: Language = Language {
    name: "Chinese",
    words: "的 是 在 了 不 和 有 大 这 主 中 人 上 为 们 地 个 用 工 时 要 动 国 产 以 我 到 他 会 作 来 分 生 对 于 学 下 级 就 年 阶 义 发 成 部 民 可 出 能 方 进 同 行 面 说 种 过 命 度 革 而 多 子 后 自 社 加 小 机 也 经 力 线 本 电 高 量 长 党 得 实 家 定 深 法 表 着 水 理 化 争 现 所 二 起 政 三 好 十 战 无 农 使 性 前 等 反 体 合 斗 路 图 把 结 第 里 正 新 开 论 之 物 从 当 两 些 还 天 资 事 队 批 政府 信息 发展 社会 教育",
    between: "",
    comma: "，",
    stop: "。",
};

fn text(language: &Language) -> String {
    let words: Vec<&str> = language.words.split(' ').collect();
    let mut state = 20_261_120_u64;
    let mut random = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut text = String::with_capacity(BYTES + 1024);
    while text.len() < BYTES {
        for word in 0..6 + random(20) {
            if word > 0 {
                text.push_str(if random(12) == 0 { language.comma } else { language.between });
            }
            // Half the words by falling frequency (the product of two uniform numbers), half of them all alike: that
            // gives words as long as those of texts, 5.9 bytes a token in English with the space.
            let any = random(words.len());
            let chosen =
                words[if random(2) == 0 { any } else { any * random(words.len()) / words.len() }];
            match word {
                0 => {
                    let mut letters = chosen.chars();
                    text.extend(letters.next().into_iter().flat_map(char::to_uppercase));
                    text.push_str(letters.as_str());
                }
                _ if random(60) == 0 => text.push_str(&(1900 + random(200)).to_string()),
                _ => text.push_str(chosen),
            }
        }
        text.push_str(language.stop);
    }
    text
}

#[divan::bench(args = LANGUAGES)]
fn text_to_print(bencher: Bencher, language: &Language) {
    let text = text(language);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench_local(|| fingerprint(Scheme::SD1, divan::black_box(&text)));
}

#[divan::bench(args = [&ENGLISH, &CHINESE])]
fn bytes_to_print(bencher: Bencher, language: &Language) {
    let text = text(language);
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| {
        let mut fingerprinter = Fingerprinter::new(Scheme::SD1);
        fingerprinter.update_bytes(divan::black_box(text.as_bytes()));
        fingerprinter.finish()
    });
}

/// Documents of 4 KiB: what a document costs beyond its bytes.
#[divan::bench(args = [&ENGLISH])]
fn short_texts_to_print(bencher: Bencher, language: &Language) {
    let text = text(language);
    let documents: Vec<&str> = (0..256)
        .map(|i| {
            &text[text.floor_char_boundary(i * 4096)..text.floor_char_boundary((i + 1) * 4096)]
        })
        .collect();
    let bytes: usize = documents.iter().map(|document| document.len()).sum();
    bencher.counter(BytesCount::new(bytes)).bench_local(|| {
        documents
            .iter()
            .filter_map(|document| fingerprint(Scheme::SD1, document).into_fingerprint())
            .count()
    });
}

#[divan::bench(args = [&ENGLISH])]
fn text_to_tokens(bencher: Bencher, language: &Language) {
    let text = text(language);
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| {
        let mut bytes = 0;
        tokens(Scheme::SD1, divan::black_box(&text), |token| bytes += token.len());
        bytes
    });
}
