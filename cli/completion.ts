import { Argument, type Command } from '@commander-js/extra-typings'
import { verb } from './command.ts'
import { linesTo, type Terminal } from './terminal.ts'

export const completion = (terminal: Terminal, all: Command) =>
  verb('completion', 'Prints a script that completes this command in a shell.', {
    examples: [
      'eval "$(npx embed-access completion bash)"',
      'eval "$(npx embed-access completion zsh)"',
    ],
    more: 'It completes embed-access, not npx: add node_modules/.bin to your PATH.',
  })
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh'] as const))
    .action((shell) => {
      const print = linesTo(terminal.out)
      if (shell === 'zsh') print(loading)
      print(scriptFor(all))
    })

/** Loads zsh's own completion first, because the settings of a new macOS user do not load it. */
const loading = `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
autoload -U +X bashcompinit && bashcompinit`

/**
 * Completes with the verbs and options that may follow the words before them, with the choices of
 * an option or argument, and with names of files.
 */
const scriptFor = (all: Command): string => `_embed_access() {
  local words
  case "\${COMP_WORDS[*]:1:$((COMP_CWORD - 1))}" in
${casesOf(all, '').join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _embed_access embed-access`

/** The longest names come first, because the first case that matches counts. */
function casesOf(command: Command, path: string): string[] {
  const verbs = command.commands.map((each) => each.name())
  const options = command.options.flatMap(({ long }) => long ?? [])
  const ofArguments = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  const words = [...verbs, ...ofArguments, ...options, '--help'].join(' ')
  const below = command.commands.flatMap((each) =>
    casesOf(each as Command, `${path}${each.name()} `),
  )
  const begin = `"${path.trim()}"`
  const choices = command.options.flatMap(({ long, required, argChoices = [] }) =>
    required ? [`    ${begin}*" ${long}") words="${argChoices.join(' ')}" ;;`] : [],
  )
  return [...below, ...choices, `    ${begin}*) words="${words}" ;;`]
}
