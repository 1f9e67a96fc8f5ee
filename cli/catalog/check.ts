import { Option } from '@commander-js/extra-typings'
import { quoted } from '@embed-access/core/catalog/quoted.ts'
import { counted } from '../../local/request-lines.ts'
import { quietOption, wholeNumber } from '../command.ts'
import { showingReads } from '../progress-line.ts'
import { linesTo, type Terminal, UsageError } from '../terminal.ts'
import { onTables, withStorage } from '../with-storage.ts'
import { checkDeployment } from './checking.ts'
import { remarksFor } from './importing.ts'
import { publishedCheckOf } from './published.ts'

const published = new Option(
  '--published <file>',
  "names the lines of a catalog file, or of standard input (-), that clients of the platform's " +
    'current API would refuse in an answer; reads no table',
).conflicts(['deployment', 'url', 'data'])

export const check = (terminal: Terminal) =>
  onTables(
    'check',
    'Says which things of a deployment refer to nothing, lie too deep or within themselves, ' +
      'contradict each other, or count for nothing. It reads the whole tables.',
    {
      examples: [
        'npx embed-access catalog check --deployment 71',
        'npx embed-access catalog check --published catalog.ndjson',
      ],
      one: 'something is wrong',
    },
  )
    .addOption(quietOption)
    .option('--deployment <id>', 'the deployment', wholeNumber)
    .addOption(published)
    .option(
      '--json',
      'prints {"deploymentId", "problems"}, the problems as sentences; with --published ' +
        '{"readable", "refused", "lines": [{"line", "isWrong", "text"}]}',
    )
    .action(async ({ deployment: deploymentId, published: file, json, quiet, url, data }) => {
      const print = linesTo(terminal.out)
      if (file !== undefined) {
        const { lines, tell } = remarksFor(terminal)
        const { in: input, err } = terminal
        const counts = await publishedCheckOf(file, { err, input, isQuiet: quiet, tell })
        const { readable, refused } = counts
        const read = counted(readable, 'line')
        const summary = `Published clients can read ${read}, and would refuse ${refused}.`
        return print(json ? quoted({ ...counts, lines }) : summary)
      }
      if (deploymentId === undefined)
        throw new UsageError('Say what to check: --deployment ID, or --published FILE.')
      const problems = await withStorage(terminal, { url, data }, (storage) =>
        showingReads(storage, terminal.err, quiet, (reading) =>
          checkDeployment(reading, deploymentId),
        ),
      )
      if (problems.length > 0) terminal.exitCode = 1
      if (json) return print(quoted({ deploymentId, problems }))
      print(problems.join('\n') || `Nothing is wrong in deployment ${deploymentId}.`)
    })
