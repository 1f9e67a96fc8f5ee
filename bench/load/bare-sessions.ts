import { hash } from 'node:crypto'
import type { Call } from './recorded.ts'

const sessionHash = (sessionId: string): string => hash('sha256', sessionId, 'hex')

export const tokenId = (sessionId: string): string => hash('sha256', `jti:${sessionId}`, 'base64url').slice(0, 22)

/** The same call, about another session than the recorded one. */
export function aboutSession({ command, input }: Call, recorded: string, sessionId: string): Call {
  const { Key, Item } = input as { readonly Key?: { readonly pk: string }; readonly Item?: { readonly pk: string } }
  const pk = (Key ?? Item)?.pk
    .replace(sessionHash(recorded), sessionHash(sessionId))
    .replace(tokenId(recorded), tokenId(sessionId))
  if (Key) return { command, input: { ...input, Key: { pk } } }
  return Item ? { command, input: { ...input, Item: { ...Item, pk } } } : { command, input }
}
