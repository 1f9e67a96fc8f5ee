import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb'
import { Option } from '@commander-js/extra-typings'
import {
  keyInState,
  SigningKeys,
  signingKeysMaxAgeSeconds,
} from '@embed-access/core/signing/signing-keys.ts'
import { readStoredKeys } from '@embed-access/core/signing/stored-keys.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import * as v from 'valibot'
import { keyTableName } from '../../stacks/names.ts'
import { stageFrom } from '../command.ts'
import { optionWords } from '../shell-word.ts'
import { type Terminal, UsageError } from '../terminal.ts'
import { type Place, withStorage } from '../with-storage.ts'

export const stageOption = new Option('--stage <name>', 'a deployed stage')
  .argParser(stageFrom)
  .conflicts(['url', 'data'])

type Keeper = Place & { stage?: string | undefined }

/**
 * Names what the keys belong to, with the region or the address. People easily look for the keys of
 * a stage in another region.
 */
async function nameOf({ stage }: Keeper, { client, tables }: Storage, endpoint?: string) {
  if (stage === undefined && endpoint !== undefined) return 'the local server'
  const what = stage === undefined ? `table ${tables.signingKeys}` : `stage ${stage}`
  const where = endpoint === undefined ? `in ${await client.config.region()}` : `at ${endpoint}`
  return `${what} ${where}`
}

export const optionsOf = ({ stage, url, data }: Keeper) =>
  optionWords({ '--stage': stage, '--url': url, '--data': data })

/**
 * Works on the table of signing keys. A stage, a place or the environment names the table.
 * @param work also gets the name of what the keys belong to, for messages
 * @throws UsageError if nothing says which table
 */
export function withKeyTable<Result>(
  terminal: Terminal,
  keeper: Keeper,
  work: (storage: Storage, name: string) => Promise<Result>,
): Promise<Result> {
  const { stage, url, data } = keeper
  const { SIGNING_KEYS_TABLE, DYNAMODB_ENDPOINT } = terminal.env
  const place = stage ?? url ?? data
  if (!SIGNING_KEYS_TABLE && !DYNAMODB_ENDPOINT && place === undefined) {
    throw new UsageError(
      'Say whose signing keys: --stage NAME for a deployed stage; --url, --data or ' +
        'DYNAMODB_ENDPOINT for a local server.',
    )
  }
  const table = stage === undefined ? {} : { SIGNING_KEYS_TABLE: keyTableName(stage) }
  const around = { ...terminal, env: { ...terminal.env, ...table } }
  return withStorage(around, keeper, async (storage, endpoint) =>
    work(storage, await nameOf(keeper, storage, endpoint)),
  )
}

export function undefinedIfNotFound(error: unknown): undefined {
  if (!(error instanceof ResourceNotFoundException)) throw error
}

/**
 * Returns `keys`, the signing keys, and `stored`, what the table has of them.
 * @throws Error with a plain sentence if there are none, or if this version cannot read them
 */
export async function requireKeys(storage: Storage, keeper: Keeper, name: string) {
  const stored = await readStoredKeys(storage).catch(undefinedIfNotFound)
  const init = `npx embed-access keys init${optionsOf(keeper)}`
  if (!stored) throw new Error(`There are no signing keys of ${name} yet. Make them with: ${init}`)
  const parsed = v.safeParse(SigningKeys, stored.keys)
  if (parsed.success) return { stored, keys: parsed.output }
  throw new Error(
    'This version cannot read the stored signing keys. Make new ones, which ends all tokens of ' +
      `the old ones, with: ${init} --replace`,
  )
}

/** What each new key does, and when. */
export function sentencesAbout(keys: SigningKeys): string {
  const retired = keys.keys.filter(({ state }) => state === 'retired').length
  const active = keyInState(keys, 'active')
  const next = keyInState(keys, 'next')
  const minutes = signingKeysMaxAgeSeconds / 60
  return (
    `${active.kid} signs, ${next.kid} is next, ${retired} retired.\n` +
    `Every function uses them within ${minutes} minutes. No deployment is needed.`
  )
}
