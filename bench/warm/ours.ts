import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import { create as authorizer } from '../../functions/authorizer.ts'
import { create as exchange } from '../../functions/exchange-session.ts'
import { create as generate } from '../../functions/generate-session.ts'
import { create as errorReference } from '../../functions/get-error-reference.ts'
import { create as keySet } from '../../functions/get-key-set.ts'
import { create as spec } from '../../functions/get-spec.ts'
import { create as syncs } from '../../functions/list-dbt-syncs.ts'
import { create as workbooks } from '../../functions/list-embed-tenant-workbooks.ts'
import { create as notifications } from '../../functions/list-notifications.ts'
import { create as revoke } from '../../functions/revoke-session.ts'
import { defaultLimits } from '../../functions/runtime/tokens.ts'
import { replayAnswers } from '../replay.ts'
import type { Handlers, Scenario } from './scenario.ts'

/** The functions as they are deployed. Each line for the log is made, and goes nowhere. */
export function ours(tables: Storage['tables'], endpoint: string, scenario: Scenario): Handlers {
  const storage = connect(tables, endpoint)
  const { issuer } = scenario
  const runtime = {
    storage,
    now: () => scenario.now,
    log: (entry: object) => void JSON.stringify(entry),
    issuer,
    issuance: { issuer, audience: issuer, ...defaultLimits },
    signer: async () => scenario.signer,
    verificationKeys: async () => scenario.verificationKeys,
  }
  return {
    asked: replayAnswers(storage.client),
    operations: {
      'list-embed-tenant-workbooks': workbooks(runtime),
      'generate-session': generate(runtime),
      'exchange-session': exchange(runtime),
      'revoke-session': revoke(runtime),
      'list-dbt-syncs': syncs(runtime),
      'list-notifications': notifications(runtime),
      'get-key-set': keySet(runtime),
      'get-spec': spec(runtime),
      'get-error-reference': errorReference(runtime),
    },
    authorizer: authorizer(runtime),
  }
}
