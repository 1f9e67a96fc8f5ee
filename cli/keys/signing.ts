import { DeleteTableCommand, ResourceNotFoundException } from '@aws-sdk/client-dynamodb'
import { firstSigningKeys, rotated } from '@embed-access/core/sessions/rotation.ts'
import {
  keyInState,
  publicKeys,
  SigningKeys,
  signingKeysMaxAgeSeconds,
} from '@embed-access/core/sessions/signing-keys.ts'
import { readStoredKeys, writeSigningKeys } from '@embed-access/core/sessions/stored-keys.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import * as v from 'valibot'
import { defaultLimits } from '../../functions/runtime/tokens.ts'
import { requireConsent, type Terminal } from '../command.ts'
import { type Keeper, type KeyTable, keyTable } from './key-table.ts'
import { requirePublished } from './published.ts'

const inForce = `Every function uses them within ${signingKeysMaxAgeSeconds / 60} minutes. No deployment is needed.`

/** Makes the first keys of a stage, and the table that holds them. @returns what was done, as a sentence */
export async function init(
  terminal: Terminal,
  { replace, yes, ...keeper }: Keeper & { readonly replace?: true | undefined; readonly yes?: true | undefined },
): Promise<string> {
  const table = keyTable(terminal, keeper)
  const keys = await firstSigningKeys(terminal.now())
  await table.use(async (storage) => {
    await table.make(storage)
    const stored = await readStoredKeys(storage)
    if (stored && !replace) {
      throw new Error(
        `There are signing keys of ${table.name} already. Rotate them with: npm run keys -- rotate${table.argument}\n` +
          'Or, where their private parts have got out, end all their tokens at once: the same with init and --replace.',
      )
    }
    if (stored) {
      await requireConsent(terminal, `This ends every token of ${table.name}.`, keeper.stage ?? 'replace', yes)
    }
    await writeSigningKeys(storage, keys, stored)
  })
  return `Signing keys of ${table.name} made. ${sentenceAbout(keys)}\n${inForce}`
}

/**
 * Takes the keys one step on.
 * @param options `olderThan` is in milliseconds
 * @returns what was done, as a sentence
 */
export async function rotate(
  terminal: Terminal,
  { olderThan, publishedAt, ...keeper }: Keeper & { olderThan?: number | undefined; publishedAt?: string | undefined },
): Promise<string> {
  const table = keyTable(terminal, keeper)
  const now = terminal.now()
  return table.use(async (storage) => {
    const { stored, keys } = await existing(storage, table)
    const active = keyInState(keys, 'active')
    if (olderThan !== undefined && now < active.since * 1000 + olderThan) {
      return `Nothing to do: ${active.kid} signs since ${new Date(active.since * 1000).toISOString()}.`
    }
    if (publishedAt !== undefined) await requirePublished(keys, publishedAt)
    const next = await rotated(keys, { now, lifetimeSeconds: defaultLimits.lifetimeSeconds })
    await writeSigningKeys(storage, next, stored)
    return `Signing keys of ${table.name} rotated. ${sentenceAbout(next)}\n${inForce}`
  })
}

/**
 * Removes the keys of a stage with their table.
 * @returns what was done, as a sentence
 * @throws Error with a plain sentence for production
 */
export async function remove(terminal: Terminal, stage: string, yes = false): Promise<string> {
  if (stage === 'production') throw new Error('The signing keys of production are not removed by a command.')
  const isPreview = /^pr-\d+$/.test(stage)
  await requireConsent(terminal, `This ends every token of stage ${stage}.`, stage, yes || isPreview)
  await keyTable(terminal, { stage }).use(async ({ client, tables }) => {
    await client.send(new DeleteTableCommand({ TableName: tables.signingKeys })).catch(undefinedIfNotFound)
  })
  return `Stage ${stage} has no signing keys any more.`
}

export async function publicPart(terminal: Terminal, keeper: Keeper): Promise<string> {
  const table = keyTable(terminal, keeper)
  const { keys } = await table.use((storage) => existing(storage, table))
  return JSON.stringify(publicKeys(keys.keys))
}

function undefinedIfNotFound(error: unknown): undefined {
  if (!(error instanceof ResourceNotFoundException)) throw error
}

async function existing(storage: Storage, { name, argument }: KeyTable) {
  const stored = await readStoredKeys(storage).catch(undefinedIfNotFound)
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
