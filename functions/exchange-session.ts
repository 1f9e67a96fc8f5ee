import { exactly, text } from '@embed-access/core/schema.ts'
import { redeemSession } from '@embed-access/core/sessions/redeem.ts'
import { endpoint } from './http/endpoint.ts'
import { onLambda } from './runtime/on-lambda.ts'
import type { Runtime } from './runtime/runtime.ts'
import { storageWith } from './runtime/storage.ts'
import { issuance, signer } from './runtime/tokens.ts'

type Needs = Pick<Runtime, 'issuer' | 'log' | 'now' | 'storage' | 'issuance' | 'signer'>

export const create = ({ now, storage, issuance, signer, ...base }: Needs) =>
  endpoint(base, {
    access: 'public',
    body: exactly({ sessionId: text }),
    async answer({ body }) {
      return { json: JSON.stringify(await redeemSession(storage, body.sessionId, now(), issuance, signer)) }
    },
  })

export const handler = await onLambda(create, { storage: storageWith('sessions'), issuance, signer })
