import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { Storage } from './storage.ts'

/** Sends a command of lib-dynamodb, and gives its answer. */
export type Send = (
  command: Parameters<DynamoDBDocumentClient['send']>[0],
  options?: { readonly abortSignal?: AbortSignal },
) => Promise<object>

/** The same storage, whose commands go through a function, which may send them on by the client that was there before. */
export const sendingThrough = (storage: Storage, send: Send): Storage => ({
  ...storage,
  client: Object.assign(Object.create(storage.client), { send }),
})
