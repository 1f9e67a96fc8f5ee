import { quoted } from '@embed-access/core/catalog/quoted.ts'
import { quietOption, wholeNumber } from '../command.ts'
import { showingReads } from '../progress-line.ts'
import { linesTo, type Terminal } from '../terminal.ts'
import { onTables, withStorage } from '../with-storage.ts'
import { checkDeployment } from './checking.ts'

export const check = (terminal: Terminal) =>
  onTables(
    'check',
    'Lists the things of a deployment that refer to nothing, lie too deep or within themselves, ' +
      'contradict each other, or count for nothing, and why. It reads the whole tables.',
    { examples: ['npx embed-access catalog check --deployment 71'], one: 'something is wrong' },
  )
    .addOption(quietOption)
    .requiredOption('--deployment <id>', 'the deployment', wholeNumber)
    .option('--json', 'prints {"deploymentId", "problems"}, the problems as sentences')
    .action(async ({ deployment: deploymentId, json, quiet, url, data }) => {
      const problems = await withStorage(terminal, { url, data }, (storage) =>
        showingReads(storage, terminal.err, quiet, (reading) =>
          checkDeployment(reading, deploymentId),
        ),
      )
      const print = linesTo(terminal.out)
      if (problems.length > 0) terminal.exitCode = 1
      if (json) return print(quoted({ deploymentId, problems }))
      if (problems.length > 0) return print(...problems)
      print(`Nothing is wrong in deployment ${deploymentId}.`)
    })
