// Base32 of RFC 4648 in lower case without padding, as strings of fingerprints have it. [7.6]

const DIGITS = "abcdefghijklmnopqrstuvwxyz234567";

export function base32(bytes) {
  let text = "";
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += DIGITS[(held >> (bits - 5)) & 31];
    held &= 31;
  }
  return bits > 0 ? text + DIGITS[(held << (5 - bits)) & 31] : text;
}

/** Characters of base32 for so many bytes. */
export function base32Length(bytes) {
  return Math.ceil((bytes * 8) / 5);
}

/** The bytes of characters of base32, in lower case; null if the bits behind the last byte are not 0. */
export function fromBase32(text, length) {
  const bytes = new Uint8Array(length);
  let held = 0;
  let bits = 0;
  let at = 0;
  for (const character of text) {
    held = ((held << 5) | DIGITS.indexOf(character)) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = held >> bits;
    }
  }
  return (held & ((1 << bits) - 1)) === 0 ? bytes : null;
}
