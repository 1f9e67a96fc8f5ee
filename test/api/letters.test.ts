import { describe, expect, test } from 'vitest'
import { keys, notification, put, world } from '../support/service.ts'
import { sessionsOf } from '../support/sessions.ts'

/** The Kelvin sign (U+212A): its lower case is a `k`, whose upper case is another letter. */
const kelvin = '\u212a'

describe('names and external ids', () => {
  const recipient = { type: 'embedUser', embedTenantName: 'KIRK', externalId: ' Kim ' }
  const service = world()

  const externalId = async (given: string) =>
    (await sessionsOf(service).dryRun({ externalId: given })).body.claims.externalId

  const status = async (tenant: string) => {
    const path = `/api/v1/deployments/1/embed-tenants/${encodeURIComponent(tenant)}/workbooks`
    return (await service.get(path, { key: keys.admin })).status
  }

  const found = async (tenant: string, user: string) => {
    const query = new URLSearchParams({
      recipientEmbedTenantName: tenant,
      recipientExternalId: user,
    })
    const { body } = await service.get(`/api/v1/deployments/1/notifications?${query}`, {
      key: keys.admin,
    })
    return body.items.length
  }

  test('compare in lower case', async () => {
    await service.apply([
      notification(1, 1),
      put('recipient', { deploymentId: 1, notificationId: 1, recipient }),
    ])
    expect(await externalId(' KIM-ÅSE ')).toBe('kim-åse')
    expect(await status('KiRk')).toBe(200)
    expect(await found('kIrK', ' KIM')).toBe(1)
  })

  test('fold no letter to the lower case of another', async () => {
    expect(await externalId(`${kelvin}im`)).toBe(`${kelvin}im`)
    expect(await externalId('\u0130')).toBe('\u0130')
    expect(await status(`${kelvin}irk`)).toBe(404)
    expect(await found(`${kelvin}irk`, 'kim')).toBe(0)
    expect(await found('kirk', `${kelvin}im`)).toBe(0)
  })

  test('and what decides who sees what are refused if not UTF-8', async () => {
    const errorsOf = async (request: object) => {
      // In Latin-1. As UTF-8, `ü` and `ä` would both become U+FFFD, and two users the same one.
      const body = Buffer.from(JSON.stringify({ deploymentId: 1, ...request }), 'latin1')
      const headers = { authorization: `Bearer ${keys.admin}`, 'content-type': 'application/json' }
      const path = `${service.url}/api/v1/embed/generate-session`
      const answer = await fetch(path, { method: 'POST', headers, body })
      const { errors } = (await answer.json()) as { readonly errors?: readonly object[] }
      return [answer.status, errors]
    }
    const refused = (pointer: string) => [
      400,
      [{ pointer, message: 'must not contain U+FFFD, which stands where bytes were not UTF-8' }],
    ]
    expect(await errorsOf({ externalId: 'müller' })).toEqual(refused('/externalId'))
    expect(await errorsOf({ internalId: 'jürg' })).toEqual(refused('/internalId'))
    expect(await errorsOf({ branchName: 'maße' })).toEqual(refused('/branchName'))
    expect(await errorsOf({ publicDashboardId: 'süd' })).toEqual(refused('/publicDashboardId'))
    expect(await errorsOf({ groups: ['küche'] })).toEqual(refused('/groups/0'))
    expect(await errorsOf({ email: 'jürg@x' })).toEqual(refused('/email'))
    expect(await errorsOf({ securityContext: { a: ['ü'] } })).toEqual(refused('/securityContext'))
    const userAttributes = [{ name: 'region', value: ['süd'] }]
    expect(await errorsOf({ userAttributes })).toEqual(refused('/userAttributes/0/value'))
    const actor = { id: 'jürg', reason: 'help' }
    expect(await errorsOf({ externalId: 'u-1', actor })).toEqual(refused('/actor/id'))
    expect(await errorsOf({ userProfile: { displayName: 'Jürg' } })).toEqual([200, undefined])
  })

  test('of a filter are refused if not UTF-8', async () => {
    const of = async (query: string) => {
      const path = `/api/v1/deployments/1/notifications?${query}`
      const { status, body } = await service.get(path, { key: keys.admin })
      return [status, body.errors]
    }
    const message = 'must not contain U+FFFD, which stands where bytes were not UTF-8'
    const refused = (parameter: string) => [400, [{ parameter, message }]]
    const user = 'recipientExternalId'
    expect(await of(`recipientEmbedTenantName=kirk&${user}=m%FCller`)).toEqual(refused(user))
    for (const parameter of ['recipientEmail', 'dashboardPublicId'])
      expect(await of(`${parameter}=s%FCd`)).toEqual(refused(parameter))
    expect(await of('recipientEmail=s%C3%BCd')).toEqual([200, undefined])
  })

  test('of a security context with half of a surrogate pair are refused', async () => {
    const { dryRun } = sessionsOf(service)
    for (const [place, securityContext] of [
      ['a', { a: 'x\ud83d' }],
      ['a/0/b', { a: [{ b: '\udc00' }] }],
      ['\ufffd', { '\udbff': {} }],
      ['a', { a: '\\\ud83d' }],
    ] as const) {
      const pointer = `/securityContext/${place}`
      const errors = [{ pointer, message: 'must be well-formed Unicode' }]
      expect((await dryRun({ securityContext })).body.errors).toEqual(errors)
    }
    const wellFormed = { '💚': '💚', a: '\\ud83d', b: '\\\\udc00', c: '\ufeff\u0000' }
    const { claims } = (await dryRun({ securityContext: wellFormed })).body
    expect(claims.securityContext).toEqual(wellFormed)
  })
})
