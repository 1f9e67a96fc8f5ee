import { connect, type Storage } from '@embed-access/core/storage/storage.ts'
import { handler as authorizer } from '../../functions/authorizer.ts'
import { handler as exchange } from '../../functions/exchange-session.ts'
import { handler as generate } from '../../functions/generate-session.ts'
import { handler as errorReference } from '../../functions/get-error-reference.ts'
import { handler as keySet } from '../../functions/get-key-set.ts'
import { handler as spec } from '../../functions/get-spec.ts'
import { handler as syncs } from '../../functions/list-dbt-syncs.ts'
import { handler as workbooks } from '../../functions/list-embed-tenant-workbooks.ts'
import { handler as notifications } from '../../functions/list-notifications.ts'
import { handler as revoke } from '../../functions/revoke-session.ts'
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
      'list-embed-tenant-workbooks': workbooks.create(runtime),
      'generate-session': generate.create(runtime),
      'exchange-session': exchange.create(runtime),
      'revoke-session': revoke.create(runtime),
      'list-dbt-syncs': syncs.create(runtime),
      'list-notifications': notifications.create(runtime),
      'get-key-set': keySet.create(runtime),
      'get-spec': spec.create(runtime),
      'get-error-reference': errorReference.create(runtime),
    },
    authorizer: authorizer.create(runtime),
  }
}
