import { Option } from '@commander-js/extra-typings'
import { apiKeyItemsByHash } from '@embed-access/core/access/api-keys.ts'
import { accountKey, userKey } from '@embed-access/core/access/keys.ts'
import { shownHashLength } from '@embed-access/core/access/principal.ts'
import { endOfTokens } from '@embed-access/core/access/revocation.ts'
import { ownerOf } from '@embed-access/core/catalog/export.ts'
import { revokeMinted, revokeToken } from '@embed-access/core/sessions/revoke.ts'
import { storedEndOf } from '@embed-access/core/sessions/stored-session.ts'
import { getItem } from '@embed-access/core/storage/get-item.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { authorizerCacheSeconds } from '../../functions/http/authorization.ts'
import { matching, wholeNumber } from '../command.ts'
import { databaseClock } from '../database-clock.ts'
import { hashFromStdin, hashWith } from '../keys/api-options.ts'
import { linesTo, type Terminal } from '../terminal.ts'
import { onTables, withStorage } from '../with-storage.ts'

const about =
  'Ends embed tokens by what the audit names: one token, or all that an API key or a user has ' +
  'generated until now and in the next 30 seconds.'

export const revoke = (terminal: Terminal) =>
  onTables('revoke', about, {
    examples: [
      'npx embed-access sessions revoke --account acme --jti 0VxQb5nP2kzTq1hWc7LdEA',
      'npx embed-access sessions revoke --account acme --key-from-stdin < leaked-key',
    ],
    deletes: 'nothing, but no token that it ends works again',
    one: 'no token with this --jti was issued in the last day: then it is revoked all the same',
  })
    .requiredOption('--account <id>', 'whose tokens they are')
    .addOption(
      new Option('--jti <jti>', 'one token')
        .argParser(jtiFrom)
        .conflicts(['key', 'keyFromStdin', 'user']),
    )
    .addOption(
      new Option('--key <hash>', 'the hash of an API key, or its beginning')
        .argParser(hashWith(shownHashLength))
        .conflicts(['keyFromStdin', 'user']),
    )
    .addOption(
      new Option('--key-from-stdin', 'reads the API key itself from standard input').conflicts(
        'user',
      ),
    )
    .option('--user <id>', 'an internal user, who generated the sessions', wholeNumber)
    .action(async ({ url, data, account, keyFromStdin, ...whose }, command) => {
      if (!keyFromStdin && Object.keys(whose).length === 0)
        command.error('Give --jti, --key, --key-from-stdin or --user.')
      const said = await withStorage(terminal, { url, data }, async (storage) => {
        const revoked = keyFromStdin ? { key: await hashFromStdin(terminal) } : whose
        return revokeTokens(storage, account, revoked, databaseClock(storage, terminal.now))
      })
      linesTo(terminal.out)(said)
    })

export const jtiFrom = matching(/^[\w-]{22}$/, 'It must be the 22 characters that the audit shows.')

/** One of the three is given. */
type Revoked = { jti?: string; key?: string; user?: number }

/**
 * Revokes the embed tokens that an account has generated until the database's time.
 * @returns what was done, as a sentence
 * @throws Error with a plain sentence if the account, user or key was never there: then a name is
 * wrong, and nothing is revoked. Tokens of deleted ones are revoked, since they may still be valid
 */
async function revokeTokens(
  storage: Storage,
  account: string,
  { jti, key, user }: Revoked,
  now: () => number,
) {
  if (!(await getItem(storage, 'catalog', accountKey(account))))
    throw nothingRevoked(`There is no account ${account}.`)
  if (jti !== undefined) return revokeOne(storage, account, jti, now)
  if (user !== undefined && !(await getItem(storage, 'credentials', userKey(account, user))))
    throw nothingRevoked(`Account ${account} has no user ${user}.`)
  if (key !== undefined && !(await hasKey(storage, account, key)))
    throw nothingRevoked(`Account ${account} has no such API key.`)
  const minter =
    key !== undefined ? { key: key.slice(0, shownHashLength) } : { userId: user as number }
  await revokeMinted(storage, account, minter, authorizerCacheSeconds, now())
  const who = 'key' in minter ? `the API key ${minter.key}` : `user ${minter.userId}`
  const until = `generates in the next ${authorizerCacheSeconds} seconds`
  return `Tokens of all sessions that ${who} has generated, or ${until}, are refused.`
}

const nothingRevoked = (reason: string) => new Error(`${reason} Nothing was revoked.`)

async function hasKey(storage: Storage, account: string, hash: string): Promise<boolean> {
  const owners = (await apiKeyItemsByHash(storage, hash)).map(ownerOf)
  // The deletion of a key does not have to say whose it was.
  return owners.some(({ accountId = account }) => accountId === account)
}

/** The token itself is not stored, only how its session ended. */
async function revokeOne(storage: Storage, account: string, jti: string, now: () => number) {
  const end = await storedEndOf(storage, jti)
  if (end && end.accountId !== account) {
    throw nothingRevoked(`The token ${jti} is not one of account ${account}.`)
  }
  await revokeToken(storage, { accountId: account, deploymentIds: 'all' }, jti, endOfTokens(now()))
  if (end) return `The token ${jti} is refused from now on.`
  throw new Error(
    `No token ${jti} of account ${account} was issued in the last day. Check both. Perhaps its ` +
      'session is not redeemed yet. If there is such a token, it is refused from now on.',
  )
}
