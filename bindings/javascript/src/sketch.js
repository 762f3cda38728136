// Sketches: sections 11.1 to 11.6 of the standard. A set of 64-bit elements becomes 128 numbers of 16 bits.

import { Counts, add, mix, multiply, result } from "./words64.js";

const BINS = 128;
/** The factor M of [11.4]. */
const [FACTOR_HIGH, FACTOR_LOW] = [0x9e3779b9, 0x7f4a7c15];
const ROUND_STEP = 0xd6e8feb86659fd93n;

/** The elements of md1, as the hashes of tokens come one after another. [11.4] [11.5] */
export class Shingles {
  constructor() {
    this.elements = new Counts();
    this.tokens = 0;
    /** The last two hashes. */
    [this.firstHigh, this.firstLow, this.secondHigh, this.secondLow] = [0, 0, 0, 0];
  }

  push(high, low) {
    this.tokens++;
    if (this.tokens > 2) {
      joined(this.firstHigh, this.firstLow, this.secondHigh, this.secondLow);
      joined(result.high, result.low, high, low);
      this.elements.add(result.high, result.low);
    }
    this.firstHigh = this.secondHigh;
    this.firstLow = this.secondLow;
    this.secondHigh = high;
    this.secondLow = low;
  }

  finish() {
    if (this.elements.size > 0 || this.tokens === 0) return this.elements;
    if (this.tokens === 1) this.elements.add(this.secondHigh, this.secondLow);
    else {
      joined(this.firstHigh, this.firstLow, this.secondHigh, this.secondLow);
      this.elements.add(result.high, result.low);
    }
    return this.elements;
  }
}

/** One hash times M plus the next, into `result`. */
function joined(high, low, nextHigh, nextLow) {
  multiply(high, low, FACTOR_HIGH, FACTOR_LOW);
  add(result.high, result.low, nextHigh, nextLow);
}

/** The elements of wd1 from the features and their frequencies. [11.6] */
export function weightedElements(features) {
  const elements = new Counts();
  features.forEach((high, low, frequency) => {
    multiply(high, low, FACTOR_HIGH, FACTOR_LOW);
    const [productHigh, productLow] = [result.high, result.low];
    for (let j = 1; j <= logWeight(frequency); j++) {
      add(productHigh, productLow, 0, j);
      elements.add(result.high, result.low);
    }
  });
  return elements;
}

/** The number of binary digits of a frequency. [10.3] */
export function logWeight(frequency) {
  return Math.floor(Math.log2(frequency)) + 1;
}

/** The 256 bytes of the sketch of a set that is not empty, and how many rounds it took. [11.2] [11.3] [11.8] */
export function sketchOf(elements) {
  const [highs, lows] = [new Uint32Array(elements.size), new Uint32Array(elements.size)];
  let count = 0;
  elements.forEach((high, low) => {
    highs[count] = high;
    lows[count++] = low;
  });
  const winners = { rounds: new Int32Array(BINS).fill(-1), highs: new Uint32Array(BINS), lows: new Uint32Array(BINS) };
  let empty = BINS;
  let round = 0;
  for (; empty > 0; round++) {
    const step = (BigInt(round) * ROUND_STEP) & 0xffffffffffffffffn;
    const [stepHigh, stepLow] = [Number(step >> 32n), Number(step & 0xffffffffn)];
    for (let element = 0; element < count; element++) {
      add(highs[element], lows[element], stepHigh, stepLow);
      mix(result.high, result.low);
      const bin = round < BINS ? result.high >>> 25 : round - BINS;
      const winner = winners.rounds[bin];
      if (winner < 0) empty--;
      else if (winner < round) continue;
      else if (!isSmaller(result, winners.highs[bin], winners.lows[bin])) continue;
      winners.rounds[bin] = round;
      winners.highs[bin] = result.high;
      winners.lows[bin] = result.low;
    }
  }
  const bytes = new Uint8Array(2 * BINS);
  winners.lows.forEach((low, bin) => {
    bytes[2 * bin] = low >>> 8;
    bytes[2 * bin + 1] = low;
  });
  return { bytes, rounds: round };
}

function isSmaller(one, high, low) {
  return one.high < high || (one.high === high && one.low < low);
}
