// The clusters of 64-bit values of any program, such as those of simhash-cpp: a value for each line of standard input.
#include <nearprint.h>

#include <cstdint>
#include <iostream>
#include <map>
#include <stdexcept>
#include <vector>

namespace {

void check(np_status status) {
  if (status != NP_OK) throw std::runtime_error(np_message(status));
}

std::map<std::uint32_t, std::vector<std::uint64_t>> clusters(const std::vector<std::uint64_t> &values,
                                                             std::uint32_t distance) {
  std::vector<std::uint32_t> cluster_of(values.size());
  check(np_find_clusters(values.data(), values.size(), distance, cluster_of.data()));
  std::map<std::uint32_t, std::vector<std::uint64_t>> found;
  for (std::size_t i = 0; i < values.size(); i++) found[cluster_of[i]].push_back(values[i]);
  return found;
}

}  // namespace

int main() {
  std::vector<std::uint64_t> values;
  for (std::uint64_t value; std::cin >> value;) values.push_back(value);
  try {
    for (const auto &[least, members] : clusters(values, 3)) {
      if (members.size() < 2) continue;
      for (std::size_t i = 0; i < members.size(); i++) std::cout << (i ? " " : "") << members[i];
      std::cout << '\n';
    }
  } catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
