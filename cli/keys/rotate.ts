import { isDeepStrictEqual } from 'node:util'
import { rotated } from '@embed-access/core/signing/rotation.ts'
import { keyInState, type SigningKeys } from '@embed-access/core/signing/signing-keys.ts'
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
    .option('--published-at <url>', 'only if the service there publishes all the keys')
    .action(async ({ olderThan, publishedAt, ...keeper }) => {
      const say = linesTo(terminal.err)
      await withKeyTable(terminal, keeper, async (storage, name) => {
        const now = databaseClock(storage, terminal.now)
        const { stored, keys } = await requireKeys(storage, keeper, name)
        const { kid, since } = keyInState(keys, 'active')
        const began = new Date(since * 1000).toISOString()
        if (olderThan !== undefined && now() < since * 1000 + olderThan)
          return say(`Nothing to do: ${kid} has signed since ${began}.`)
        if (publishedAt !== undefined) await requirePublished(keys, publishedAt)
        const next = await rotated(keys, now())
        await writeSigningKeys(storage, next, stored)
        say(`Signing keys of ${name} rotated. ${sentencesAbout(next)}`)
      })
    })

/** @throws Error unless the service at this URL publishes the stored keys */
async function requirePublished(keys: SigningKeys, url: string): Promise<void> {
  const address = `${url.replace(/\/+$/, '')}/.well-known/jwks.json`
  const idsOf = ({ keys }: { keys: readonly { kid: string }[] }) =>
    keys.map(({ kid }) => kid).sort()
  const request = { headers: { 'cache-control': 'no-cache' }, signal: AbortSignal.timeout(10_000) }
  const published = await fetch(address, request)
    .then(async (response) => idsOf((await response.json()) as SigningKeys))
    .catch((cause: unknown) => {
      const advice = 'Check --published-at and that the service is up.'
      throw new Error(`No key set can be read at ${address}. ${advice}`, { cause })
    })
  if (isDeepStrictEqual(published, idsOf(keys))) return
  const advice = 'Wait until it does, then try again.'
  throw new Error(`${address} does not publish the stored keys. ${advice}`)
}
