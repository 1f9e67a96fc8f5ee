import { purgeable, purge as remove } from '@embed-access/core/catalog/purge.ts'
import { printable } from '@embed-access/core/catalog/quoted.ts'
import { quietOption, yesOption } from '../command.ts'
import { showingReads } from '../progress-line.ts'
import { linesTo, requireConsent, type Terminal } from '../terminal.ts'
import { onTables, withStorage } from '../with-storage.ts'

export const purge = (terminal: Terminal) =>
  onTables(
    'purge',
    'Removes what belonged to deleted accounts and deployments, which nobody can see.',
    {
      examples: ['npx embed-access catalog purge --dry-run', 'npx embed-access catalog purge'],
      deletes: 'what belonged to deleted accounts and deployments, for good. It asks before that',
      more: 'For a day, the table of sessions still says how sessions ended, and what was revoked.',
    },
  )
    .addOption(quietOption)
    .option('--dry-run', 'only says how many items of each account and deployment it would remove')
    .addOption(yesOption)
    .action(async ({ dryRun, yes, quiet, url, data }) => {
      const print = linesTo(terminal.out)
      await withStorage(terminal, { url, data }, async (storage) => {
        const remains = await showingReads(storage, terminal.err, quiet, purgeable)
        for (const { kind, id, count } of remains) print(`${kind} ${printable(id)}: ${count}`)
        const total = remains.reduce((sum, { count }) => sum + count, 0)
        if (dryRun) return print(`would remove ${total}`)
        if (total > 0)
          await requireConsent(terminal, `This removes ${total} items for good.`, 'purge', yes)
        terminal.interrupted = () => 'Go on with the same command.'
        const { removed, left } = await showingReads(storage, terminal.err, quiet, (reading) =>
          remove(reading, terminal.now),
        )
        print(`removed ${removed}`)
        if (left > 0) print(`left ${left}, which changed meanwhile: purge again`)
      })
    })
