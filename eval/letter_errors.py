"""Errors of letters as recognisers of print make them, by a seed: for eval/scans.py.

A letter is wrong with the given probability, each on its own. Then it is one that looks like it (three times in four,
where the table below has one), another letter of the same text, nothing, or twice itself. Recognisers err in places, on
poor paper or in one fount; that errors are spread evenly is the harder case for words, as each spoils another one.

`fraktur` gives German of today the spelling and the long s of a book of 1880. It is a rule of thumb: it knows the common
words only, and writes a long s where a compound would have a round one.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

LATIN = """
e c o|c e o|o c e 0|a o u|u n ii|n u ri|h b n|b h 6|i l t|l i 1 I|t f l|f t|r n|s 5 a|g q 9|q g|v y|y v|w vv|m rn in|d cl|k h
I l 1|O 0 Q|B 8 R|S 5|G C 6|C G|E F|F E P|D O|Z 2|z 2|1 l I|0 O|5 S|8 B|2 Z|rn m|cl d|ri n|vv w|fi fl|li h
"""
# Letters of Fraktur: the long s beside f, n beside u, capitals that differ in a stroke, one sign for I and J.
FRAKTUR = """
ſ f|f ſ|ſt ft|ſi fi|ſſ ff|n u|u n|k t|t k r|e c|c e|ä a|ö o|ü u|r x|x r|y h|h y b|b h d|d b o|v o|o v|w m|m w|l i|i l
a g|g a|p v|ch <|ck d|tz ß|ß ſz k|q g|z s|s z|B V|V B|R K N|K R|N R|E C|C E G|G E S|S G|A U|U A|I J|J I|D O|O D|M W|W M
H h|L S|F J|T L|P B|Z 3
"""
# Characters that differ in a stroke or two, or in one of their parts.
CHINESE = """
己 已 巳|已 己|未 末|末 未|土 士|士 土|日 曰 目|目 日 自|自 白|白 自 百|百 白|人 入 八|入 人|八 人|大 太 犬|太 大|天 夫 无|夫 天|干 千 于
千 干|于 干 子|子 于 了|了 子|王 玉 主|主 王|木 本 术|本 木|术 木|体 休|休 体|午 牛|牛 午|刀 力 刃|力 刀|元 无|无 元 天|间 问 闻|问 间|没 设|设 没
冶 治|治 冶|候 侯|处 外|外 处|由 田 甲|田 由|申 甲 由|几 凡 儿|儿 几|右 石|石 右|名 各|各 名|今 令|令 今|代 伐|往 住|住 往|使 便|便 使|件 仵|可 司
司 可|要 耍|项 顶|顶 项|准 淮|清 情 请|情 清|请 清|的 旳 昀|是 昰|不 下 丕|下 不|上 土|一 二|二 三 一|三 二|个 介|中 巾|在 左 仕|有 育 冇|为 力|以 似
用 甩 月|月 用|文 丈 攵|这 迈 还|还 这|时 吋|会 合|合 台 会|行 衍|统 缆|包 句|句 包|软 钦|系 糸|新 斯|需 霈|能 熊|到 倒|到 刭|从 丛|并 开|开 并 井
"""
ERA = [  # spelling of 1880 for that of today
    (r"\b([Tt])eil", r"\1heil"),
    (r"teil(e|en|s|t|te|ten|ung|ungen)?\b", r"theil\1"),
    (r"\btun\b", "thun"),
    (r"\btut\b", "thut"),
    (r"\b([Tt])or\b", r"\1hor"),
    (r"\b([Tt])ür", r"\1hür"),
    (r"\b([Tt])at(en|sache|sächlich)?", r"\1hat\2"),
    (r"\bgib(t|st)\b", r"gieb\1"),
    (r"ieren\b", "iren"),
    (r"iert\b", "irt"),
    (r"ierung", "irung"),
    (r"nis\b", "niß"),
    (r"dass\b", "daß"),
    (r"muss\b", "muß"),
    (r"lässt\b", "läßt"),
    (r"\b([Kk])onn", r"\1onn"),
]
WRONG_ALIKE = 0.75


def read_table(table: str) -> dict[str, list[str]]:
    """What is read for what: the first of each entry is printed, the others look like it."""
    rows = [entry.split() for entry in table.replace("\n", "|").split("|") if entry.strip()]
    found: dict[str, list[str]] = {}
    for printed, *read in rows:
        found.setdefault(printed, []).extend(read)
    return found


TABLES = {"en": read_table(LATIN), "de": read_table(FRAKTUR), "zh": read_table(CHINESE + LATIN)}


@dataclass(frozen=True)
class Damaged:
    """A text with errors."""

    text: str
    errors: int
    letters: int  # of the text without them


def fraktur(text: str) -> str:
    """German as a book of 1880 has it, printed in Fraktur: its spelling, and the long s except at the end of a word."""
    return re.sub(r"s(?=[^\W\d_])", "ſ", of_the_era(text))


def of_the_era(text: str) -> str:
    """German in the spelling of 1880, in letters of today."""
    for today, then in ERA:
        text = re.sub(today, then, text)
    return text


def damaged(text: str, rate: float, language: str, seed: str) -> Damaged:
    """The text with errors in that share of its letters and digits; blanks, line ends and signs stay."""
    draw = random.Random(seed)
    table = TABLES[language]
    letters = [letter for letter in text if letter.isalnum()]
    out, errors, at = [], 0, 0
    while at < len(text):
        printed = text[at]
        if not printed.isalnum() or draw.random() >= rate:
            out.append(printed)
            at += 1
            continue
        errors += 1
        pair = text[at : at + 2]
        if pair in table and draw.random() < WRONG_ALIKE:
            out.append(draw.choice(table[pair]))
            at += 2
            continue
        if printed in table and draw.random() < WRONG_ALIKE:
            out.append(draw.choice(table[printed]))
        else:
            out.append(draw.choice([draw.choice(letters), draw.choice(letters), "", 2 * printed]))
        at += 1
    return Damaged("".join(out), errors, len(letters))
