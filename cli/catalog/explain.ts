import { deploymentsWith, explainInCatalog } from '@embed-access/core/catalog/explain.ts'
import { quoted } from '@embed-access/core/catalog/quoted.ts'
import { lowerCase } from '@embed-access/core/schema.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { sentencesOf } from '../../local/explanation-sentences.ts'
import { quietOption, wholeNumber } from '../command.ts'
import { showingReads } from '../progress-line.ts'
import { linesTo, type Terminal } from '../terminal.ts'
import { onTables, withStorage } from '../with-storage.ts'

export const explain = (terminal: Terminal) =>
  onTables('explain', 'Says whether an embed tenant sees a workbook, and why.', {
    examples: ['npx embed-access catalog explain --tenant north --workbook 5'],
    one: 'no deployment has the workbook, or several have',
  })
    .addOption(quietOption)
    .requiredOption('--tenant <name>', 'the embed tenant')
    .requiredOption('--workbook <id>', 'the workbook', wholeNumber)
    .option(
      '--deployment <id>',
      'the workbook’s deployment. Without it, all tables are read to find it',
      wholeNumber,
    )
    .option(
      '--json',
      'prints {"deploymentId", "embedTenantName", "workbookId", "isSeen", "path", "end", "things"}',
    )
    .action(async ({ tenant, workbook: workbookId, deployment, json, quiet, url, data }) => {
      const embedTenantName = lowerCase(tenant)
      const explained = await withStorage(terminal, { url, data }, async (storage) => {
        const find = (reading: Storage) => onlyDeploymentWith(reading, workbookId)
        const id = deployment ?? (await showingReads(storage, terminal.err, quiet, find))
        const explanation = await explainInCatalog(storage, id, embedTenantName, workbookId)
        return { deploymentId: id, ...explanation }
      })
      const print = linesTo(terminal.out)
      if (json) return print(quoted({ embedTenantName, workbookId, ...explained }))
      const sees = explained.isSeen ? 'sees' : 'does not see'
      const verdict = `So embed tenant ${quoted(embedTenantName)} ${sees} workbook ${workbookId}.`
      print([...sentencesOf(explained), verdict].join('\n'))
    })

async function onlyDeploymentWith(storage: Storage, workbookId: number): Promise<number> {
  const [found, ...more] = await deploymentsWith(storage, workbookId)
  if (found === undefined) throw new Error(`No deployment has a workbook ${workbookId}.`)
  if (more.length === 0) return found
  const advice = `Give one of them with --deployment: ${[found, ...more].join(', ')}.`
  throw new Error(`Several deployments have a workbook ${workbookId}. ${advice}`)
}
