import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.languagetool.JLanguageTool;
import org.languagetool.Languages;
import org.languagetool.markup.AnnotatedText;
import org.languagetool.markup.AnnotatedTextBuilder;
import org.languagetool.rules.CategoryId;
import org.languagetool.rules.Rule;
import org.languagetool.rules.RuleMatch;
import org.languagetool.rules.spelling.SpellingCheckRule;

/**
 * Runs LanguageTool over passages. The first line of stdin is the settings, `{words, rules, categories}`: accepted words
 * by language or `all`, and the rules and categories that are off. Each other line is a passage, `{id, language, parts}`, whose
 * parts are `{text}` or `{markup, interpretAs}`. Prints a line for each finding.
 *
 *   java -cp '.tools/languagetool/*' scripts/prose-check/Check.java
 */
public class Check {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, String> VARIANTS = Map.of("en", "en-GB", "de", "de-DE", "fr", "fr");

  /** Maximum number of suggestions per finding. */
  private static final int MAX_REPLACEMENTS = 5;

  private final JsonNode settings;

  private Check(JsonNode settings) {
    this.settings = settings;
  }

  public static void main(String[] arguments) throws Exception {
    List<JsonNode> passages = new ArrayList<>();
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) passages.add(JSON.readTree(line));
    }
    Check check = new Check(passages.remove(0));
    Map<String, List<JsonNode>> byLanguage = passages.stream().collect(
      Collectors.groupingBy(passage -> passage.get("language").asText(), TreeMap::new, Collectors.toList())
    );
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    // A thread for each language, because it takes seconds to create a JLanguageTool, which threads cannot share.
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<String>> results = new ArrayList<>();
      byLanguage.forEach((language, own) -> results.add(threads.submit(() -> check.checkAll(language, own))));
      for (Future<String> result : results) out.print(result.get());
    } finally {
      threads.shutdownNow();
    }
  }

  private String checkAll(String language, List<JsonNode> passages) throws IOException {
    JLanguageTool tool = createTool(language);
    StringBuilder lines = new StringBuilder();
    for (JsonNode passage : passages) {
      for (RuleMatch match : tool.check(annotate(passage.get("parts")))) {
        lines.append(JSON.writeValueAsString(describe(passage, match))).append('\n');
      }
    }
    return lines.toString();
  }

  private JLanguageTool createTool(String language) {
    JLanguageTool tool = new JLanguageTool(Languages.getLanguageForShortCode(VARIANTS.get(language)));
    for (JsonNode rule : settings.get("rules")) tool.disableRule(rule.asText());
    for (JsonNode category : settings.get("categories")) tool.disableCategory(new CategoryId(category.asText()));
    List<String> words = new ArrayList<>();
    for (String list : List.of("all", language)) settings.get("words").get(list).forEach(word -> words.add(word.asText()));
    for (Rule rule : tool.getAllActiveRules()) {
      if (rule instanceof SpellingCheckRule) ((SpellingCheckRule) rule).addIgnoreTokens(words);
    }
    return tool;
  }

  private static AnnotatedText annotate(JsonNode parts) {
    AnnotatedTextBuilder builder = new AnnotatedTextBuilder();
    for (JsonNode part : parts) {
      if (part.has("text")) builder.addText(part.get("text").asText());
      else builder.addMarkup(part.get("markup").asText(), part.get("interpretAs").asText());
    }
    return builder.build();
  }

  private static ObjectNode describe(JsonNode passage, RuleMatch match) {
    ObjectNode finding = JSON.createObjectNode();
    finding.set("id", passage.get("id"));
    finding.put("rule", match.getRule().getId());
    finding.put("category", match.getRule().getCategory().getId().toString());
    finding.put("message", match.getMessage());
    finding.put("offset", match.getFromPos());
    finding.put("length", match.getToPos() - match.getFromPos());
    List<String> replacements = match.getSuggestedReplacements().stream().limit(MAX_REPLACEMENTS).collect(Collectors.toList());
    finding.set("replacements", JSON.valueToTree(replacements));
    return finding;
  }
}
