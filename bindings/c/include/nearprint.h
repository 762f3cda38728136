/* nearprint: fingerprints for near-duplicate documents, in C and C++. docs/C.md has examples.
 *
 * Fingerprints are strings that state their scheme, such as "sd1:tohkysuixv3oy", and are compared only with those of the
 * same scheme. Searches take the 64-bit values of one scheme (sd1, sl1, or another program's simhashes).
 *
 * Every function that can fail returns an np_status; np_message() says what it means. Outputs are written only if the
 * result is NP_OK. All functions can be called from several threads. No function keeps a pointer that it is given.
 */
#ifndef NEARPRINT_H
#define NEARPRINT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What became of a call. Numbers are added, and never change. */
typedef enum np_status {
  NP_OK = 0,
  NP_NO_TOKENS = 1,       /* the text has no word, so it has no fingerprint */
  NP_NULL_POINTER = 2,    /* an argument is null that may not be */
  NP_UNKNOWN_SCHEME = 3,  /* no scheme has this name */
  NP_MALFORMED = 4,       /* the string is not a fingerprint */
  NP_UNLIKE_SCHEMES = 5,  /* the fingerprints are of different schemes */
  NP_TOO_LONG = 6,        /* the fingerprint has more than NP_STRING_BYTES - 1 characters */
  NP_DISTANCE_RANGE = 7,  /* the distance of a search is more than NP_MOST_DISTANCE */
  NP_TOO_MANY_VALUES = 8, /* a search has more than 4294967295 values */
  NP_TOO_MANY_PAIRS = 9,  /* a search found more pairs than were allowed */
  NP_INTERNAL = 10        /* an error of the library, or no memory */
} np_status;

/* Bytes of a fingerprint's string with its final zero. */
#define NP_STRING_BYTES 448

/* The largest distance of a search, in bits. */
#define NP_MOST_DISTANCE 16

/* A fingerprint. */
typedef struct np_print {
  char string[NP_STRING_BYTES]; /* ends with a zero */
  uint64_t value;               /* the value of a scheme of 64 bits, else 0 */
  uint64_t tokens;              /* words of the text; 0 where a string was parsed */
  uint32_t bits;                /* bits of the value (64), or 0 if the scheme has no value of 64 bits */
  uint32_t is_short;            /* 1 if the text is so short that matches are weak evidence */
} np_print;

/* Two values within the distance of a search: their positions, a < b, and their distance. */
typedef struct np_pair {
  uint32_t a;
  uint32_t b;
  uint32_t distance;
} np_pair;

/* The version of the library, "0.1.0". */
const char *np_version(void);

/* One sentence for a status; of an unknown number too. Never null. */
const char *np_message(np_status status);

/* The fingerprint of a text of `length` bytes of UTF-8; invalid bytes are replaced, as the standard says. `scheme` is a
 * name or id: "sd1", "sl1", "md1", "wd1", "seomoz-legacy", or a declaration "custom:...". */
np_status np_fingerprint(const char *scheme, const char *text, size_t length, np_print *out);

/* Reads a fingerprint from a string that ends with a zero. Upper case is accepted; out->string is lower case. */
np_status np_parse(const char *string, np_print *out);

/* The distance of two fingerprints: bits that differ, or of sketches positions. */
np_status np_distance(const char *one, const char *other, uint32_t *out);

/* The similarity of two fingerprints, 0 to 1. */
np_status np_similarity(const char *one, const char *other, double *out);

/* All pairs of values within `distance` bits, ascending by a, then b. Equal values are pairs at distance 0.
 * More than `most` pairs are an error (NP_TOO_MANY_PAIRS); 0 is no limit. np_free_pairs() frees what *pairs points at. */
np_status np_find_all(const uint64_t *values, size_t count, uint32_t distance, size_t most, np_pair **pairs,
                      size_t *pair_count);

/* Frees pairs of np_find_all(), with the count that it gave. A null pointer is allowed. */
void np_free_pairs(np_pair *pairs, size_t pair_count);

/* The clusters of values: which are connected by pairs within `distance` bits. cluster_of has `count` numbers; each
 * becomes the least position in the cluster of its value, so a value without a neighbour has its own position. */
np_status np_find_clusters(const uint64_t *values, size_t count, uint32_t distance, uint32_t *cluster_of);

#ifdef __cplusplus
}
#endif

#endif
