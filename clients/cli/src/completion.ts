// Completion for shells: a short script asks the program itself, so it knows every command and option.
import type { CommandSpec } from './commandSpec.ts'

export const scripts: Record<string, string> = {
  bash: `# agent-calendar completion bash >> ~/.bashrc
_agent_calendar() {
  local IFS=$'\\n'
  COMPREPLY=($(agent-calendar complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _agent_calendar agent-calendar
`,
  zsh: `#compdef agent-calendar
# agent-calendar completion zsh > "\${fpath[1]}/_agent-calendar"
_agent_calendar() {
  local -a found
  found=("\${(@f)$(agent-calendar complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
if [ "$funcstack[1]" = "_agent-calendar" ]; then _agent_calendar "$@"; else compdef _agent_calendar agent-calendar; fi
`,
  fish: `# agent-calendar completion fish > ~/.config/fish/completions/agent-calendar.fish
complete -c agent-calendar -f -a '(agent-calendar complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`,
}

/** The commands of the program itself: the next words behind each, from those that are there. */
export type OwnCommands = Record<string, (words: readonly string[]) => readonly string[]>

/** The completions of the last word; the words before it are complete. */
export function candidates(words: readonly string[], commands: readonly CommandSpec[], own: OwnCommands): string[] {
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const fitting = (some: readonly string[]) => [...new Set(some)].filter((one) => one.startsWith(current)).sort()
  const [noun, verb, ...rest] = before.filter((word) => !word.startsWith('-'))
  if (noun === undefined) return fitting([...commands.map((one) => one.noun), ...Object.keys(own)])
  const next = Object.hasOwn(own, noun) ? own[noun] : undefined
  if (next) return fitting(next(verb === undefined ? [] : [verb, ...rest]))
  const ofNoun = commands.filter((one) => one.noun === noun)
  if (verb === undefined) return fitting([...ofNoun.map((one) => one.verb), ...(noun === 'changes' ? ['follow'] : [])])
  const command = ofNoun.find((one) => one.verb === verb)
  const asked = before.at(-1)?.startsWith('--')
    ? command?.options.find(({ flag }) => `--${flag}` === before.at(-1))
    : undefined
  if (asked?.choices) return fitting(asked.choices)
  if (asked && asked.kind !== 'boolean') return []
  if (!current.startsWith('-')) return []
  const shared = [
    '--json',
    '--help',
    '--url',
    ...(command?.hasBody ? ['--body'] : []),
    ...(command && command.paging !== 'none' ? ['--all'] : []),
  ]
  return fitting([...(command?.options ?? []).map(({ flag }) => `--${flag}`), ...shared])
}
