/* Fingerprints of texts, and all pairs of them within a distance. */
#include <nearprint.h>
#include <stdio.h>
#include <string.h>

static const char *const TEXTS[] = {
    "Fog came in at noon and stayed over the harbour until the bells rang.",
    "It rained on the hills for a week, and every brook became a river.",
    "FOG CAME in at noon, and stayed over the harbour until the bells rang!",
};
enum { COUNT = sizeof TEXTS / sizeof TEXTS[0] };

int main(void) {
  uint64_t values[COUNT];
  for (size_t i = 0; i < COUNT; i++) {
    np_print print;
    np_status status = np_fingerprint("sl1", TEXTS[i], strlen(TEXTS[i]), &print);
    if (status != NP_OK) {
      fprintf(stderr, "text %zu: %s\n", i, np_message(status));
      return 1;
    }
    printf("%s%s\n", print.string, print.is_short ? " short" : "");
    values[i] = print.value;
  }
  np_pair *pairs;
  size_t pair_count;
  np_status status = np_find_all(values, COUNT, 6, 0, &pairs, &pair_count);
  if (status != NP_OK) {
    fprintf(stderr, "%s\n", np_message(status));
    return 1;
  }
  for (size_t i = 0; i < pair_count; i++)
    printf("%u %u at distance %u\n", pairs[i].a, pairs[i].b, pairs[i].distance);
  np_free_pairs(pairs, pair_count);
  return 0;
}
