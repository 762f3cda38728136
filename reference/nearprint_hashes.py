"""The hash functions of custom schemes: clause 13.5 of spec/CUSTOM.md.

Each takes bytes and gives 64 bits. A function of 32 bits gives them as the upper half, above 32 zeros.
"""

from __future__ import annotations

import hashlib

import nearprint_sd1 as sd1

MASK = 0xFFFFFFFFFFFFFFFF


def mix(x: int) -> int:
    """`mix` of [11.1]."""
    x ^= x >> 33
    x = x * 0xFF51AFD7ED558CCD & MASK
    x ^= x >> 33
    x = x * 0xC4CEB9FE1A85EC53 & MASK
    return x ^ x >> 33


def rotate(value: int, count: int) -> int:
    """A rotation of 64 bits to the left."""
    return (value << count | value >> 64 - count) & MASK


def le(data: bytes, at: int, count: int) -> int:
    """A number whose least significant byte comes first."""
    return int.from_bytes(data[at : at + count], "little")


def fnv1a(data: bytes) -> int:
    """FNV-1a of 64 bits. [13.5]"""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & MASK
    return value


def murmur3(data: bytes) -> int:
    """The first half of MurmurHash3_x64_128. [13.5]"""
    first_factor, second_factor = 0x87C37B91114253D5, 0x4CF5AD432745937F
    first = second = 0
    whole = len(data) // 16 * 16
    for at in range(0, whole, 16):
        first ^= rotate(le(data, at, 8) * first_factor & MASK, 31) * second_factor & MASK
        first = ((rotate(first, 27) + second) * 5 + 0x52DCE729) & MASK
        second ^= rotate(le(data, at + 8, 8) * second_factor & MASK, 33) * first_factor & MASK
        second = ((rotate(second, 31) + first) * 5 + 0x38495AB5) & MASK
    first ^= rotate(le(data, whole, 8) * first_factor & MASK, 31) * second_factor & MASK
    second ^= rotate(le(data, whole + 8, 8) * second_factor & MASK, 33) * first_factor & MASK
    first, second = first ^ len(data), second ^ len(data)
    first = first + second & MASK
    second = second + first & MASK
    return mix(first) + mix(second) & MASK


XXH_SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221b8084674f743248e"
    "e03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a"
    "51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8f"
    "f8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e"
)
P32_1, P32_2, P32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P64_1, P64_2, P64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
P64_4, P64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5


def secret(at: int) -> int:
    """64 bits of the secret of XXH3."""
    return le(XXH_SECRET, at, 8)


def folded(one: int, other: int) -> int:
    """Both halves of a product of 128 bits."""
    product = one * other
    return (product ^ product >> 64) & MASK


def avalanche(value: int) -> int:
    """The end of XXH3 for most lengths."""
    value ^= value >> 37
    value = value * 0x165667919E3779F9 & MASK
    return value ^ value >> 32


def short_avalanche(value: int) -> int:
    """The end of XXH3 up to three bytes."""
    value = (value ^ value >> 33) * P64_2 & MASK
    value = (value ^ value >> 29) * P64_3 & MASK
    return value ^ value >> 32


def xxh3(data: bytes) -> int:
    """XXH3 of 64 bits with the seed 0. [13.5]"""
    length = len(data)
    if length == 0:
        return short_avalanche(secret(56) ^ secret(64))
    if length <= 3:
        first, middle, last = data[0], data[length >> 1], data[-1]
        combined = first << 16 | middle << 24 | last | length << 8
        return short_avalanche(combined ^ le(XXH_SECRET, 0, 4) ^ le(XXH_SECRET, 4, 4))
    if length <= 8:
        value = le(data, length - 4, 4) + (le(data, 0, 4) << 32) ^ secret(8) ^ secret(16)
        value ^= rotate(value, 49) ^ rotate(value, 24)
        value = value * 0x9FB21C651E98DF25 & MASK
        value ^= (value >> 35) + length
        value = value * 0x9FB21C651E98DF25 & MASK
        return value ^ value >> 28
    if length <= 16:
        low = le(data, 0, 8) ^ secret(24) ^ secret(32)
        high = le(data, length - 8, 8) ^ secret(40) ^ secret(48)
        swapped = int.from_bytes(low.to_bytes(8, "little"), "big")
        return avalanche(length + swapped + high + folded(low, high) & MASK)
    if length <= 240:
        return xxh3_middle(data)
    return xxh3_long(data)


def xxh3_middle(data: bytes) -> int:
    """XXH3 of 17 to 240 bytes."""
    length, total = len(data), len(data) * P64_1

    def sixteen(at: int, key: int) -> int:
        return folded(le(data, at, 8) ^ secret(key), le(data, at + 8, 8) ^ secret(key + 8))

    if length <= 128:
        for number in range((length + 31) // 32):
            total += sixteen(16 * number, 32 * number) + sixteen(length - 16 * number - 16, 32 * number + 16)
        return avalanche(total & MASK)
    total = avalanche(total + sum(sixteen(16 * number, 16 * number) for number in range(8)) & MASK)
    total += sum(sixteen(16 * number, 16 * (number - 8) + 3) for number in range(8, length // 16))
    return avalanche(total + sixteen(length - 16, 119) & MASK)


def xxh3_long(data: bytes) -> int:
    """XXH3 of more than 240 bytes."""
    sums = [P32_3, P64_1, P64_2, P64_3, P64_4, P32_2, P64_5, P32_1]

    def add(at: int, key: int) -> None:
        for lane in range(8):
            value = le(data, at + 8 * lane, 8)
            keyed = value ^ secret(key + 8 * lane)
            sums[lane ^ 1] = sums[lane ^ 1] + value & MASK
            sums[lane] = sums[lane] + (keyed & 0xFFFFFFFF) * (keyed >> 32) & MASK

    for stripe in range((len(data) - 1) // 64):
        add(64 * stripe, 8 * (stripe % 16))
        if stripe % 16 == 15:
            for lane in range(8):
                value = sums[lane] ^ sums[lane] >> 47 ^ secret(128 + 8 * lane)
                sums[lane] = value * P32_1 & MASK
    add(len(data) - 64, 121)
    total = len(data) * P64_1
    for pair in range(4):
        total += folded(sums[2 * pair] ^ secret(11 + 16 * pair), sums[2 * pair + 1] ^ secret(19 + 16 * pair))
    return avalanche(total & MASK)


def md5_64(data: bytes) -> int:
    """The last half of MD5. [13.5]"""
    return int.from_bytes(hashlib.md5(data, usedforsecurity=False).digest()[8:], "big")


def sha1_64(data: bytes) -> int:
    """The last 64 bits of SHA-1. [13.5]"""
    return int.from_bytes(hashlib.sha1(data, usedforsecurity=False).digest()[12:], "big")


def fnv1a_32(data: bytes) -> int:
    """FNV-1a of 32 bits, as the upper half. [13.5]"""
    value = 0x811C9DC5
    for byte in data:
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    return value << 32


def rotate_32(value: int, count: int) -> int:
    """A rotation of 32 bits to the left."""
    return (value << count | value >> 32 - count) & 0xFFFFFFFF


def murmur3_32(data: bytes) -> int:
    """MurmurHash3_x86_32 with the seed 0, as the upper half. [13.5]"""
    value, whole = 0, len(data) // 4 * 4
    for at in range(0, whole, 4):
        value ^= rotate_32(le(data, at, 4) * 0xCC9E2D51 & 0xFFFFFFFF, 15) * 0x1B873593 & 0xFFFFFFFF
        value = (rotate_32(value, 13) * 5 + 0xE6546B64) & 0xFFFFFFFF
    value ^= rotate_32(le(data, whole, 4) * 0xCC9E2D51 & 0xFFFFFFFF, 15) * 0x1B873593 & 0xFFFFFFFF
    value ^= len(data)
    value = (value ^ value >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    value = (value ^ value >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return (value ^ value >> 16) << 32


FUNCTIONS = {
    "lookup3": sd1.token_hash,
    "fnv1a": fnv1a,
    "murmur3": murmur3,
    "xxh3": xxh3,
    "md5-64": md5_64,
    "sha1-64": sha1_64,
    "fnv1a-32": fnv1a_32,
    "murmur3-32": murmur3_32,
}
