import { linesTo, type Terminal } from '../terminal.ts'
import { onTables } from '../with-storage.ts'
import { millisecondsIn } from './api-options.ts'
import { rotateSigningKeys, stageOption } from './signing-keys.ts'

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
    .option('--published-at <url>', 'only if the service there publishes all the keys')
    .action(async (options) => linesTo(terminal.err)(await rotateSigningKeys(terminal, options)))
