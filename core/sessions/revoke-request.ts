import * as v from 'valibot'
import { embedTenantName, externalId } from '../embed-tenants/names.ts'
import { combination, exactly, optional, text } from '../schema.ts'

const Fields = exactly({
  sessionId: optional(text),
  embedTenantName: optional(embedTenantName),
  externalId: optional(externalId),
})

function* problemsOfCombination(request: v.InferOutput<typeof Fields>): Generator<[string, string]> {
  const given = (field: keyof typeof request) => request[field] !== undefined
  if (!given('sessionId') && !given('embedTenantName')) {
    yield ['sessionId', 'is required, or embedTenantName in its place']
  }
  if (given('sessionId') && given('embedTenantName')) {
    yield ['sessionId', 'must not come together with embedTenantName']
  }
  if (given('externalId') && !given('embedTenantName')) yield ['externalId', 'needs embedTenantName']
}

/** A session, or whom the sessions are for. */
export const RevokeSession = v.pipe(Fields, combination(problemsOfCombination))
