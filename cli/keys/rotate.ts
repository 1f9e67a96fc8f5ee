import { rotated } from '@embed-access/core/signing/rotation.ts'
import { keyInState } from '@embed-access/core/signing/signing-keys.ts'
import { writeSigningKeys } from '@embed-access/core/signing/stored-keys.ts'
import { databaseClock } from '../database-clock.ts'
import { linesTo, type Terminal } from '../terminal.ts'
import { onTables } from '../with-storage.ts'
import { millisecondsIn } from './api-options.ts'
import { requireKeys, sentencesAbout, stageOption, withKeyTable } from './signing-keys.ts'

export const rotate = (terminal: Terminal) =>
  onTables('rotate', 'Makes the next key active and the active one retired. Adds a new next one.', {
    examples: ['npx embed-access keys rotate --stage production --older-than 30d'],
    deletes: 'retired keys whose tokens have all expired',
  })
    .addOption(stageOption)
    .option(
      '--older-than <time>',
      'only if the active key has signed for that long, such as 30d',
      millisecondsIn,
    )
    .action(async ({ olderThan, ...keeper }) => {
      const say = linesTo(terminal.err)
      await withKeyTable(terminal, keeper, async (storage, name) => {
        const now = databaseClock(storage, terminal.now)
        const { stored, keys } = await requireKeys(storage, keeper, name)
        const { kid, since } = keyInState(keys, 'active')
        const began = new Date(since * 1000).toISOString()
        if (olderThan !== undefined && now() < since * 1000 + olderThan)
          return say(`Nothing to do: ${kid} has signed since ${began}.`)
        const next = await rotated(keys, now())
        await writeSigningKeys(storage, next, stored)
        say(`Signing keys of ${name} rotated. ${sentencesAbout(next)}`)
      })
    })
