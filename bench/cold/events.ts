import { writeSigningKeys } from '@embed-access/core/sessions/stored-keys.ts'
import { routes } from '../../functions/operations/operations.ts'
import type { Meter } from '../../test/support/counting.ts'
import { deployment } from '../catalog.ts'
import { authorizerEvent, eventFor, scenario } from '../warm/scenario.ts'

/** An event for each function, by its name, that it answers with success. Adds what they need to the tables. */
export async function eventsOf(meter: Meter): Promise<Readonly<Record<string, object>>> {
  const { apiKey, keys, putSession } = await scenario(meter)
  await writeSigningKeys(meter.storage, keys, undefined)
  await putSession()
  return {
    authorizer: authorizerEvent(apiKey),
    'catalog-sync': { Records: [message] },
    ...Object.fromEntries(routes.map(({ id }) => [id, eventFor(id)])),
  }
}

const message = {
  messageId: 'bench',
  body: JSON.stringify([{ kind: 'folder', data: { deploymentId: deployment, id: 1, name: 'Folder', parentId: null } }]),
  attributes: { ApproximateReceiveCount: '1', SentTimestamp: '0' },
}
