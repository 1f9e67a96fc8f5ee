import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import type { JSONWebKeySet } from 'jose'
import * as v from 'valibot'
import { conditionHeld, ifUnchanged, newVersion } from '../storage/conditional-writes.ts'
import { getItem } from '../storage/get-item.ts'
import type { Item } from '../storage/item.ts'
import { memoizedFor } from '../storage/memoized-for.ts'
import type { Storage } from '../storage/storage.ts'
import {
  publicKeys,
  SigningKeys,
  signingKeysMaxAgeSeconds,
  VerificationKeys,
} from './signing-keys.ts'
import { tokenSigner } from './token-signer.ts'

/** The two items of the table. Their keys begin differently, so that a role may read only one. */
const privateSet = { pk: 'private#keys' }
const publicSet = { pk: 'public#keys' }

export const readStoredKeys = (storage: Storage): Promise<Item | undefined> =>
  getItem(storage, 'signingKeys', privateSet)

/** @throws Error if there is no set of this form. Its message shows no part of a key */
export const readSigningKeys = async (storage: Storage): Promise<SigningKeys> =>
  parsed(SigningKeys, await readStoredKeys(storage))

export const readPublicKeys = async (storage: Storage): Promise<JSONWebKeySet> =>
  publicKeys(parsed(VerificationKeys, await getItem(storage, 'signingKeys', publicSet)).keys)

/**
 * Writes both sets, or neither.
 * @param expected what {@link readStoredKeys} gave
 * @throws Error if something else is stored now
 */
export async function writeSigningKeys(
  storage: Storage,
  keys: SigningKeys,
  expected: Item | undefined,
): Promise<void> {
  const TableName = storage.tables.signingKeys
  const version = newVersion()
  const privateItem = { ...privateSet, version, keys: JSON.stringify(keys) }
  const publicItem = { ...publicSet, version, keys: JSON.stringify(publicKeys(keys.keys)) }
  const TransactItems = [
    { Put: { TableName, Item: privateItem, ...ifUnchanged(expected) } },
    { Put: { TableName, Item: publicItem } },
  ]
  if (await conditionHeld(storage.client.send(new TransactWriteCommand({ TransactItems })))) return
  throw new Error('Somebody else has changed the signing keys meanwhile. Nothing is written.')
}

type StorageWithClock = { readonly storage: Storage; now(): number }

/**
 * The signer of the active key, as it was at most {@link signingKeysMaxAgeSeconds} ago. If it
 * is given the storage of a request, the log line of that request counts the call.
 */
export const currentSigner = ({ storage, now }: StorageWithClock) =>
  memoizedFor(
    async (through: Storage = storage) => tokenSigner(await readSigningKeys(through)),
    signingKeysMaxAgeSeconds * 1000,
    now,
  )

/** The keys to publish, as they were at most {@link signingKeysMaxAgeSeconds} ago. */
export const currentPublicKeys = ({ storage, now }: StorageWithClock) =>
  memoizedFor(
    (through: Storage = storage) => readPublicKeys(through),
    signingKeysMaxAgeSeconds * 1000,
    now,
  )

function parsed<Keys>(schema: v.GenericSchema<unknown, Keys>, stored: Item | undefined): Keys {
  if (!stored)
    throw new Error(
      'There are no signing keys. If there were some, restore their table. In a new stage, make ' +
        'keys with: npx embed-access keys init',
    )
  const result = v.safeParse(schema, stored.keys)
  if (!result.success)
    throw new Error(`The stored signing keys are not usable: the text ${result.issues[0].message}.`)
  return result.output
}
