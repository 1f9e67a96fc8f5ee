import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const names = ['gh', 'npm', 'npx', 'pipx', 'python3', 'sudo']

/** What a command does, in shell, by how a call of it begins. */
export type Answers = Readonly<Record<string, string>>

/**
 * Makes commands that only note how they were called, and answer. They note variables that NOTED
 * names too, unless their values are among the arguments, and begin with PLACE.
 * @param answers the first that fits a call answers it
 * @returns what takes the notes
 */
export function standIns(
  folder: string,
  answers: readonly Answers[],
  more: readonly string[] = [],
) {
  const notes = join(folder, 'calls')
  rmSync(notes, { force: true })
  const cases = answers
    .flatMap(Object.entries<string>)
    .map(([call, answer]) => `  '${call}'*) ${answer} ;;`)
  const lines = [
    '#!/bin/bash',
    `call="\${0##*/} $*"`,
    'for name in $NOTED; do',
    `  [[ "$call" == *"\${!name}"* ]] || noted+="$name=\${!name} "`,
    'done',
    `echo "$PLACE$noted$call" >> "${notes}"`,
    'case $call in',
    ...cases,
    'esac',
  ]
  const first = join(folder, 'aws')
  writeFileSync(first, `${lines.join('\n')}\n`, { mode: 0o755 })
  for (const command of [...names, ...more])
    if (!existsSync(join(folder, command))) symlinkSync(first, join(folder, command))
  return () => {
    const calls = readFileSync(notes, { encoding: 'utf8', flag: 'a+' }).trim().split('\n')
    rmSync(notes, { force: true })
    return calls.filter((call) => call !== '')
  }
}
