import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb'
import { firstSigningKeys, rotated } from '@embed-access/core/sessions/rotation.ts'
import {
  keyInState,
  publicKeys,
  SigningKeys,
  signingKeysMaxAgeSeconds,
} from '@embed-access/core/sessions/signing-keys.ts'
import { readStoredKeys, type StoredKeys, writeSigningKeys } from '@embed-access/core/sessions/stored-keys.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import * as v from 'valibot'
import { defaultLimits } from '../../functions/runtime/tokens.ts'
import { millisecondsIn } from './api-options.ts'
import { type KeyTable, keyTable, removeTable } from './key-table.ts'
import { requirePublished } from './published.ts'
import { oldSecret } from './stage-secret.ts'

export type SigningOptions = {
  readonly stage?: string | undefined
  readonly data?: string | undefined
  readonly url?: string | undefined
  readonly replace?: boolean | undefined
  readonly 'older-than'?: string | undefined
}

type Print = (line: string) => void

const inForce = `Every function uses them within ${signingKeysMaxAgeSeconds / 60} minutes. No deployment is needed.`

/** Makes the first keys of a stage, and the table that holds them. */
export async function init({ stage, data, replace = false }: SigningOptions, say: Print): Promise<void> {
  const table = keyTable(stage, data)
  const keys = await firstSigningKeys(Date.now())
  await table.use(async (storage) => {
    await table.make(storage)
    const stored = await readStoredKeys(storage)
    if (stored && !replace) {
      throw new Error(
        `There are signing keys of ${table.name} already. Rotate them with: npm run keys -- rotate${table.argument}\n` +
          'Or, where their private parts have got out, end all their tokens at once: the same with init and --replace.',
      )
    }
    await writeSigningKeys(storage, keys, stored)
  })
  say(`Signing keys of ${table.name} made. ${sentenceAbout(keys)}\n${inForce}`)
}

/** Takes the keys one step on. */
export async function rotate(options: SigningOptions, say: Print): Promise<void> {
  const table = keyTable(options.stage, options.data)
  const least = options['older-than'] === undefined ? undefined : millisecondsIn(options['older-than'])
  await table.use(async (storage) => {
    const { stored, keys } = await existing(storage, table)
    const active = keyInState(keys, 'active')
    if (least !== undefined && Date.now() < active.since * 1000 + least) {
      return say(`Nothing to do: ${active.kid} signs since ${new Date(active.since * 1000).toISOString()}.`)
    }
    if (options.url !== undefined) await requirePublished(keys, options.url)
    const next = await rotated(keys, { now: Date.now(), lifetimeSeconds: defaultLimits.lifetimeSeconds })
    await writeSigningKeys(storage, next, stored)
    say(`Signing keys of ${table.name} rotated. ${sentenceAbout(next)}\n${inForce}`)
  })
}

/** Moves the keys of a stage from SST's secret, where earlier versions had them, into their table. */
export async function move({ stage }: SigningOptions, say: Print): Promise<void> {
  if (stage === undefined) throw new Error('Say whose signing keys: --stage NAME.')
  const keys = await oldSecret(stage)
  const table = keyTable(stage)
  await table.use(async (storage) => {
    await table.make(storage)
    if (await readStoredKeys(storage)) throw new Error(`The signing keys of ${table.name} are in their table already.`)
    await writeSigningKeys(storage, keys, undefined)
  })
  say(
    `Signing keys of ${table.name} moved. ${sentenceAbout(keys)}\n` +
      `Deploy now, then remove the secret: npx sst secret remove SigningKeys --stage ${stage}\n` +
      'Then rotate twice, since their private parts lie in old versions of the deployment’s state.',
  )
}

/** Removes the keys of a stage with their table. */
export async function remove({ stage }: SigningOptions, say: Print): Promise<void> {
  if (stage === undefined) throw new Error('Say whose signing keys: --stage NAME.')
  await removeTable(stage)
  say(`Stage ${stage} has no signing keys any more.`)
}

/** The public parts of the keys, as the key set publishes them. */
export async function publicPart({ stage, data }: SigningOptions): Promise<string> {
  const table = keyTable(stage, data)
  const { keys } = await table.use((storage) => existing(storage, table))
  return JSON.stringify(publicKeys(keys.keys))
}

async function existing(
  storage: Storage,
  { name, argument }: KeyTable,
): Promise<{ readonly stored: StoredKeys; readonly keys: SigningKeys }> {
  const stored = await readStoredKeys(storage).catch((error: Error) => {
    if (error instanceof ResourceNotFoundException) return undefined
    throw error
  })
  if (!stored) {
    throw new Error(`There are no signing keys of ${name} yet. Make them with: npm run keys -- init${argument}`)
  }
  const parsed = v.safeParse(SigningKeys, stored.keys)
  if (parsed.success) return { stored, keys: parsed.output }
  throw new Error(
    `What is stored are no signing keys of this version. Make new ones, which ends all tokens of the old ones, with: ` +
      `npm run keys -- init${argument} --replace`,
  )
}

function sentenceAbout(keys: SigningKeys): string {
  const retired = keys.keys.filter(({ state }) => state === 'retired').length
  return `${keyInState(keys, 'active').kid} signs, ${keyInState(keys, 'next').kid} is next, ${retired} retired.`
}
