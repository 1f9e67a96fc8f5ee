import { isDeepStrictEqual } from 'node:util'
import {
  ContinuousBackupsUnavailableException,
  DeleteTableCommand,
  ResourceNotFoundException,
  UpdateContinuousBackupsCommand,
} from '@aws-sdk/client-dynamodb'
import { Option } from '@commander-js/extra-typings'
import { firstSigningKeys, rotated } from '@embed-access/core/signing/rotation.ts'
import {
  keyInState,
  publicKeys,
  SigningKeys,
  signingKeysMaxAgeSeconds,
} from '@embed-access/core/signing/signing-keys.ts'
import { readStoredKeys, writeSigningKeys } from '@embed-access/core/signing/stored-keys.ts'
import type { Storage } from '@embed-access/core/storage/storage.ts'
import { tableDefinitions } from '@embed-access/core/storage/tables.ts'
import * as v from 'valibot'
import { defaultLimits } from '../../functions/runtime/environment.ts'
import { keyAlias, keyTableName } from '../../stacks/names.ts'
import { verb, yesOption } from '../command.ts'
import { createTable } from '../create-tables.ts'
import { optionWords } from '../shell-word.ts'
import { linesTo, requireConsent, type Terminal, UsageError } from '../terminal.ts'
import { onTables, type Place, withStorage } from '../with-storage.ts'
import { millisecondsIn, stageFrom } from './api-options.ts'

const stageOption = new Option('--stage <name>', 'a deployed stage')
  .argParser(stageFrom)
  .conflicts(['url', 'data'])

type Keeper = Place & { stage?: string | undefined }

const nameOf = ({ stage }: Keeper) => (stage === undefined ? 'the local server' : `stage ${stage}`)

const optionsOf = ({ stage, url, data }: Keeper) =>
  optionWords({ '--stage': stage, '--url': url, '--data': data })

/**
 * Works on the table of signing keys. A stage, a place or the environment names the table.
 * @throws UsageError if nothing says which table
 */
function withKeyTable<Result>(
  terminal: Terminal,
  { stage, url, data }: Keeper,
  work: (storage: Storage) => Promise<Result>,
): Promise<Result> {
  const { SIGNING_KEYS_TABLE, DYNAMODB_ENDPOINT } = terminal.env
  const place = stage ?? url ?? data
  if (!SIGNING_KEYS_TABLE && !DYNAMODB_ENDPOINT && place === undefined) {
    throw new UsageError(
      'Say whose signing keys: --stage NAME for a deployed stage; --url, --data or ' +
        'DYNAMODB_ENDPOINT for a local server.',
    )
  }
  const table = stage === undefined ? {} : { SIGNING_KEYS_TABLE: keyTableName(stage) }
  return withStorage({ ...terminal, env: { ...terminal.env, ...table } }, { url, data }, work)
}

const inForce =
  `Every function uses them within ${signingKeysMaxAgeSeconds / 60} minutes. No deployment ` +
  'is needed.'

export const init = (terminal: Terminal) =>
  onTables('init', 'Makes the first signing keys and their table, before the first deployment.', {
    examples: [
      'npx embed-access keys init --stage production',
      'npx embed-access keys init --stage production --replace',
    ],
    deletes:
      'nothing; with --replace the keys that are there, and so every token ends. ' +
      'It asks before that',
  })
    .addOption(stageOption)
    .option('--replace', 'replaces keys that are there, which ends all tokens')
    .addOption(yesOption)
    .action(async ({ replace, yes, ...keeper }) => {
      const keys = await withKeyTable(terminal, keeper, async (storage) => {
        // A local engine has neither KMS keys nor backups.
        await makeTable(storage, terminal.env.DYNAMODB_ENDPOINT ? undefined : keeper.stage)
        const stored = await readStoredKeys(storage)
        if (stored && !replace) {
          throw new Error(
            `There are signing keys of ${nameOf(keeper)} already. Rotate them with: ` +
              `npx embed-access keys rotate${optionsOf(keeper)}\n` +
              'If a private part has leaked, end all tokens with: ' +
              `npx embed-access keys init${optionsOf(keeper)} --replace`,
          )
        }
        const what = `This ends every token of ${nameOf(keeper)}.`
        if (stored) await requireConsent(terminal, what, keeper.stage ?? 'replace', yes)
        // Made after a person has answered: from this time on verifiers can know the next key.
        const made = await firstSigningKeys(terminal.now())
        await writeSigningKeys(storage, made, stored)
        return made
      })
      const done = `Signing keys of ${nameOf(keeper)} made. ${sentenceAbout(keys)}`
      linesTo(terminal.err)(done, inForce)
    })

/**
 * Makes the table. A stage's is encrypted with the KMS key of its environment, can be restored for
 * 35 days, and cannot be deleted in production.
 */
async function makeTable(storage: Storage, stage: string | undefined): Promise<void> {
  const TableName = storage.tables.signingKeys
  if (stage === undefined) return createTable(storage, TableName, tableDefinitions.signingKeys)
  await createTable(storage, TableName, tableDefinitions.signingKeys, {
    SSESpecification: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: keyAlias(stage) },
    DeletionProtectionEnabled: stage === 'production',
  })
  await keepBackups(storage, TableName)
}

/** How many seconds DynamoDB may take to prepare the backups of a new table. */
const longestPreparation = 120

/** Keeps what a table was at each moment of the last 35 days. */
async function keepBackups(storage: Storage, TableName: string): Promise<void> {
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true }
  const command = new UpdateContinuousBackupsCommand({
    TableName,
    PointInTimeRecoverySpecification,
  })
  for (let seconds = 0; ; seconds += 1) {
    try {
      await storage.client.send(command)
      return
    } catch (error) {
      const isEarly = error instanceof ContinuousBackupsUnavailableException
      if (!isEarly || seconds === longestPreparation) throw error
      await storage.pause(1000)
    }
  }
}

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
      const now = terminal.now()
      const say = linesTo(terminal.err)
      await withKeyTable(terminal, keeper, async (storage) => {
        const { stored, keys } = await existing(storage, keeper)
        const { kid, since } = keyInState(keys, 'active')
        const began = new Date(since * 1000).toISOString()
        if (olderThan !== undefined && now < since * 1000 + olderThan)
          return say(`Nothing to do: ${kid} has signed since ${began}.`)
        if (publishedAt !== undefined) await requirePublished(keys, publishedAt)
        const next = await rotated(keys, { now, lifetimeSeconds: defaultLimits.lifetimeSeconds })
        await writeSigningKeys(storage, next, stored)
        say(`Signing keys of ${nameOf(keeper)} rotated. ${sentenceAbout(next)}`, inForce)
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

export const remove = (terminal: Terminal) =>
  verb('remove', 'Removes the signing keys of a stage with their table; not those of production.', {
    examples: [
      'npx embed-access keys remove --stage pr-7',
      'npx embed-access keys remove --stage staging',
    ],
    deletes:
      'the keys, and so every token of the stage ends. It asks before that, unless the ' +
      'stage is a preview, pr-NUMBER',
  })
    .requiredOption('--stage <name>', 'a deployed stage', stageFrom)
    .addOption(yesOption)
    .action(async ({ stage, yes }) => {
      if (stage === 'production')
        throw new Error('The signing keys of production are not removed by a command.')
      const isPreview = /^pr-\d+$/.test(stage)
      const what = `This ends every token of stage ${stage}.`
      await requireConsent(terminal, what, stage, yes || isPreview)
      await withKeyTable(terminal, { stage }, ({ client, tables }) =>
        client
          .send(new DeleteTableCommand({ TableName: tables.signingKeys }))
          .catch(undefinedIfNotFound),
      )
      linesTo(terminal.err)(`Stage ${stage} has no signing keys.`)
    })

export const publicPart = (terminal: Terminal) =>
  onTables(
    'public',
    'Prints the public parts of the signing keys, as the service publishes them.',
    { examples: ['npx embed-access keys public --stage production'] },
  )
    .addOption(stageOption)
    .action(async (keeper) => {
      const { keys } = await withKeyTable(terminal, keeper, (storage) => existing(storage, keeper))
      linesTo(terminal.out)(JSON.stringify(publicKeys(keys.keys)))
    })

function undefinedIfNotFound(error: unknown): undefined {
  if (!(error instanceof ResourceNotFoundException)) throw error
}

async function existing(storage: Storage, keeper: Keeper) {
  const stored = await readStoredKeys(storage).catch(undefinedIfNotFound)
  const init = `npx embed-access keys init${optionsOf(keeper)}`
  if (!stored)
    throw new Error(`There are no signing keys of ${nameOf(keeper)} yet. Make them with: ${init}`)
  const parsed = v.safeParse(SigningKeys, stored.keys)
  if (parsed.success) return { stored, keys: parsed.output }
  throw new Error(
    'This version cannot read the stored signing keys. Make new ones, which ends all tokens of ' +
      `the old ones, with: ${init} --replace`,
  )
}

function sentenceAbout(keys: SigningKeys): string {
  const retired = keys.keys.filter(({ state }) => state === 'retired').length
  const [active, next] = [keyInState(keys, 'active'), keyInState(keys, 'next')]
  return `${active.kid} signs, ${next.kid} is next, ${retired} retired.`
}
