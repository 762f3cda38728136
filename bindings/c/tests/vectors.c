/* The vectors of whole documents, one a line of standard input: a scheme, the bytes of the text in hexadecimal, and the
 * expected string, or "-" where there is none. And what the header says of errors and searches. */
#include <nearprint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(holds) \
  do { \
    if (!(holds)) { \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #holds); \
      exit(1); \
    } \
  } while (0)

static uint64_t next(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state ^ *state >> 29;
}

/* All pairs and clusters of values with planted neighbours are those of brute force. */
static void searches(void) {
  enum { COUNT = 600 };
  uint64_t values[COUNT], state = 38;
  for (size_t i = 0; i < COUNT; i++) {
    values[i] = next(&state);
    for (uint64_t n = next(&state) % 6; i % 3 && n > 0; n--) values[i] = values[i - 1] ^ 1ull << next(&state) % 64;
  }
  for (uint32_t distance = 0; distance <= NP_MOST_DISTANCE; distance += 4) {
    np_pair *pairs;
    size_t count, expected = 0;
    uint32_t cluster_of[COUNT];
    CHECK(np_find_all(values, COUNT, distance, 0, &pairs, &count) == NP_OK);
    CHECK(np_find_clusters(values, COUNT, distance, cluster_of) == NP_OK);
    for (uint32_t a = 0; a < COUNT; a++) {
      CHECK(cluster_of[a] <= a && cluster_of[cluster_of[a]] == cluster_of[a]);
      for (uint32_t b = a + 1; b < COUNT; b++) {
        uint32_t apart = (uint32_t)__builtin_popcountll(values[a] ^ values[b]);
        if (apart > distance) continue;
        CHECK(expected < count);
        CHECK(pairs[expected].a == a && pairs[expected].b == b && pairs[expected].distance == apart);
        CHECK(cluster_of[a] == cluster_of[b]);
        expected++;
      }
    }
    CHECK(count == expected);
    np_free_pairs(pairs, count);
    if (count > 0) {
      CHECK(np_find_all(values, COUNT, distance, count, &pairs, &count) == NP_OK && count == expected);
      np_free_pairs(pairs, count);
    }
    if (count > 1) CHECK(np_find_all(values, COUNT, distance, count - 1, &pairs, &count) == NP_TOO_MANY_PAIRS);
  }
}

static void errors(void) {
  np_print print;
  np_pair *pairs;
  size_t count = 7;
  uint32_t distance, cluster;
  double similarity;
  uint64_t value = 1;
  const char *md1 = "md1:aaaa";
  const char *const words[] = {"done", "no word", "null", "scheme has this name", "not a fingerprint", "different schemes",
                               "room", "16 bits", "4294967295", "more pairs", "error of the library"};
  CHECK(np_fingerprint("sd1", "Fog", 3, NULL) == NP_NULL_POINTER);
  CHECK(np_fingerprint(NULL, "Fog", 3, &print) == NP_NULL_POINTER);
  CHECK(np_fingerprint("sd1", NULL, 3, &print) == NP_NULL_POINTER);
  CHECK(np_fingerprint("sd1", NULL, 0, &print) == NP_NO_TOKENS);
  CHECK(np_fingerprint("sd9", "Fog", 3, &print) == NP_UNKNOWN_SCHEME);
  CHECK(np_fingerprint("\xff", "Fog", 3, &print) == NP_UNKNOWN_SCHEME);
  CHECK(np_fingerprint("sd1", "42", 2, &print) == NP_NO_TOKENS);
  CHECK(np_fingerprint("sd1", "Fog came in at noon", 19, &print) == NP_OK);
  CHECK(strcmp(print.string, "sd1:tohkysuixv3oy") == 0 && print.is_short == 1 && print.bits == 64 && print.tokens == 5);
  CHECK(print.value == 0x9b8eac4a88bd76ec);
  CHECK(np_parse("SD1:TOHKYSUIXV3OY", &print) == NP_OK && strcmp(print.string, "sd1:tohkysuixv3oy") == 0);
  CHECK(print.value == 0x9b8eac4a88bd76ec && print.tokens == 0 && print.is_short == 0 && print.bits == 64);
  CHECK(np_fingerprint("md1", "Fog came in at noon", 19, &print) == NP_OK && strlen(print.string) == 414);
  CHECK(print.value == 0 && print.bits == 0 && print.is_short == 1 && print.tokens == 5);
  CHECK(np_parse(md1, &print) == NP_MALFORMED && np_parse("", &print) == NP_MALFORMED);
  CHECK(np_parse(NULL, &print) == NP_NULL_POINTER);
  CHECK(np_distance("sd1:aaaaaaaaaaaac", "sd1:aaaaaaaaaaaae", &distance) == NP_OK && distance == 2);
  CHECK(np_similarity("sd1:aaaaaaaaaaaac", "sd1:aaaaaaaaaaaac", &similarity) == NP_OK && similarity == 1.0);
  CHECK(np_distance("sd1:aaaaaaaaaaaac", "sl1:aaaaaaaaaaaae", &distance) == NP_UNLIKE_SCHEMES);
  CHECK(np_similarity("sd1:aaaaaaaaaaaac", "sl1:aaaaaaaaaaaae", &similarity) == NP_UNLIKE_SCHEMES);
  CHECK(np_find_all(&value, 1, 17, 0, &pairs, &count) == NP_DISTANCE_RANGE && count == 7);
  CHECK(np_find_all(&value, 1, 3, 0, NULL, &count) == NP_NULL_POINTER);
  CHECK(np_find_all(NULL, 1, 3, 0, &pairs, &count) == NP_NULL_POINTER);
  CHECK(np_find_all(&value, SIZE_MAX / 8, 3, 0, &pairs, &count) == NP_TOO_MANY_VALUES && count == 7);
  CHECK(np_find_all(NULL, 0, 3, 0, &pairs, &count) == NP_OK && pairs == NULL && count == 0);
  CHECK(np_find_clusters(&value, 1, 3, NULL) == NP_NULL_POINTER);
  CHECK(np_find_clusters(NULL, 0, 3, NULL) == NP_OK);
  CHECK(np_find_clusters(&value, 1, 99, &cluster) == NP_DISTANCE_RANGE);
  np_free_pairs(NULL, 0);
  for (int status = NP_OK; status <= NP_INTERNAL; status++) CHECK(strstr(np_message((np_status)status), words[status]));
  CHECK(strlen(np_message((np_status)(NP_INTERNAL + 1))) > 3 && strlen(np_message((np_status)-1)) > 3);
  CHECK(strcmp(np_message((np_status)99), "this number is not a status") == 0);
  CHECK(strcmp(np_message(NP_INTERNAL), "this number is not a status") != 0);
  CHECK(strchr(np_version(), '.') != NULL);
}

int main(void) {
  static char line[4 << 20];
  size_t cases = 0;
  errors();
  searches();
  while (fgets(line, sizeof line, stdin)) {
    char *scheme = strtok(line, "\t"), *hex = strtok(NULL, "\t"), *expected = strtok(NULL, "\t\n");
    CHECK(scheme && hex && expected);
    /* The first character says that there are digits: strtok() leaves out empty fields. */
    size_t length = (strlen(hex) - 1) / 2;
    char *text = malloc(length ? length : 1);
    CHECK(text);
    for (size_t i = 0; i < length; i++) {
      unsigned byte;
      CHECK(sscanf(hex + 1 + 2 * i, "%2x", &byte) == 1);
      text[i] = (char)byte;
    }
    np_print print;
    np_status status = np_fingerprint(scheme, text, length, &print);
    free(text);
    if (strcmp(expected, "-") == 0) {
      CHECK(status == NP_NO_TOKENS);
    } else {
      CHECK(status == NP_OK);
      CHECK(strcmp(print.string, expected) == 0);
    }
    cases++;
  }
  CHECK(cases > 100);
  printf("%zu cases\n", cases);
  return 0;
}
