#include "app/cli/usage/completion.h"

#include <algorithm>

#include "engine/core/text.h"

namespace spokelab::cli {
namespace {

std::string functionName(const std::string& program) {
  std::string name = '_' + program;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string shellQuoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c == '\n' ? ' ' : c;
  }
  return out + '\'';
}

// " wisdom merge", as the scripts gather it; empty: the program.
std::string pathOf(const UsageCommand& command) {
  std::string path;
  for (const std::string& word : command.words) path += ' ' + word;
  return path;
}

std::vector<std::string> wordsBehind(const UsageCommand& command, const UsageCommand& root) {
  std::vector<std::string> words;
  for (const UsageCommand& below : command.commands) words.push_back(below.words.back());
  const auto add = [&](const UsageCommand& from) {
    for (const UsageOption& option : from.options)
      if (!option.isPositional)
        for (const std::string& name : option.names)
          if (std::find(words.begin(), words.end(), name) == words.end()) words.push_back(name);
  };
  add(command);
  add(root);
  return words;
}

// "case" patterns: `|` between the command's path and the word before.
std::string choiceCases(const UsageCommand& root, const std::string& begin, const std::string& end) {
  std::string text;
  for (const UsageCommand* command : allCommands(root))
    for (const UsageOption& option : command->options) {
      if (option.choices.empty() || option.isPositional) continue;
      std::string pattern;
      for (const std::string& name : option.names)
        pattern += (pattern.empty() ? "" : "|") + shellQuoted(pathOf(*command) + '|' + name);
      text.append("    ").append(pattern).append(") ").append(begin);
      text.append(shellQuoted(joined(option.choices, " "))).append(end).append("\n");
    }
  return text;
}

std::string pathPattern(const UsageCommand& root) {
  std::string pattern;
  for (const UsageCommand* command : allCommands(root))
    if (!command->words.empty()) pattern += (pattern.empty() ? "" : "|") + shellQuoted(pathOf(*command));
  return pattern;
}

std::string bashScript(const std::string& program, const UsageCommand& root) {
  const std::string name = functionName(program);
  std::string script =
      "# Completion of " + program + " for bash.\n" + name +
      "() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} at= i names=\n"
      "  COMPREPLY=()\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    case \"$at ${COMP_WORDS[i]}\" in\n      " +
      pathPattern(root) +
      ") at=\"$at ${COMP_WORDS[i]}\" ;;\n"
      "    esac\n  done\n  case \"$at|$before\" in\n";
  script += choiceCases(root, "names=", " ;;");
  script +=
      "  esac\n  if [ -n \"$names\" ]; then\n"
      "    COMPREPLY=($(compgen -W \"$names\" -- \"$cur\"))\n    return\n  fi\n  case \"$at\" in\n";
  for (const UsageCommand* command : allCommands(root))
    script += "    " + shellQuoted(pathOf(*command)) +
              ") names=" + shellQuoted(joined(wordsBehind(*command, root), " ")) + " ;;\n";
  script +=
      "  esac\n  COMPREPLY=($(compgen -W \"$names\" -- \"$cur\"))\n"
      "  [ -n \"$cur\" ] || COMPREPLY=($(compgen -W \"$names\" -X '-*'))  # options after a hyphen\n"
      "}\ncomplete -o default -F " +
      name + ' ' + program + '\n';
  return script;
}

// A word with its description, as _describe takes it.
std::string described(const std::string& word, const std::string& text) {
  std::string escaped;
  for (const char c : word) escaped += c == ':' ? std::string("\\:") : std::string(1, c);
  return shellQuoted(escaped + ':' + text);
}

std::string zshScript(const std::string& program, const UsageCommand& root) {
  const std::string name = functionName(program);
  std::string script = "#compdef " + program + "\n" + name +
                       "() {\n"
                       "  local before=${words[CURRENT-1]} at= i names=\n  local -a commands options\n"
                       "  for ((i = 2; i < CURRENT; ++i)); do\n    case \"$at ${words[i]}\" in\n      " +
                       pathPattern(root) +
                       ") at=\"$at ${words[i]}\" ;;\n    esac\n  done\n  case \"$at|$before\" in\n";
  script += choiceCases(root, "names=", " ;;");
  script +=
      "  esac\n  if [[ -n $names ]]; then\n    compadd -- ${=names}\n    return\n  fi\n  case \"$at\" in\n";
  for (const UsageCommand* command : allCommands(root)) {
    script += "    " + shellQuoted(pathOf(*command)) + ")\n      commands=(";
    for (const UsageCommand& below : command->commands)
      script += "\n        " + described(below.words.back(), below.text);
    script += ")\n      options=(";
    for (const UsageOption& option : command->options)
      if (!option.isPositional)
        for (const std::string& word : option.names) script += "\n        " + described(word, option.text);
    script += ") ;;\n";
  }
  script +=
      "  esac\n  (( ${#commands} )) && _describe -t commands command commands\n"
      "  [[ ${words[CURRENT]} == -* ]] && _describe -o option options\n"
      "  (( ${#commands} )) || _files\n}\n"
      "if [ \"$funcstack[1]\" = \"" +
      name + "\" ]; then " + name + " \"$@\"; else compdef " + name + ' ' + program + "; fi\n";
  return script;
}

std::string fishScript(const std::string& program, const UsageCommand& root) {
  std::string script = "# Completion of " + program + " for fish.\n";
  for (const UsageCommand* command : allCommands(root)) {
    std::string seen;
    for (const std::string& word : command->words)
      seen += (seen.empty() ? "" : "; and ") + std::string("__fish_seen_subcommand_from ") + word;
    const std::string where = "complete -c " + program + (seen.empty() ? "" : " -n " + shellQuoted(seen));
    std::string names;
    for (const UsageCommand& below : command->commands) names += ' ' + below.words.back();
    for (const UsageCommand& below : command->commands) {
      std::string fresh = seen.empty() ? "" : seen + "; and ";
      fresh.append("not __fish_seen_subcommand_from").append(names);
      script += "complete -c " + program + " -f -n " + shellQuoted(fresh) + " -a " + below.words.back() +
                " -d " + shellQuoted(below.text) + '\n';
    }
    for (const UsageOption& option : command->options) {
      if (option.isPositional) continue;
      script += where;
      for (const std::string& name : option.names)
        script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.choices.empty())
        script += " -x -a " + shellQuoted(joined(option.choices, " "));
      else if (option.takesValue)
        script += " -r";
      script += " -d " + shellQuoted(option.text) + '\n';
    }
  }
  return script;
}

}  // namespace

std::string completionScript(Shell shell, const std::string& program, const UsageCommand& root) {
  switch (shell) {
    case Shell::zsh:
      return zshScript(program, root);
    case Shell::fish:
      return fishScript(program, root);
    default:
      return bashScript(program, root);
  }
}

}  // namespace spokelab::cli
