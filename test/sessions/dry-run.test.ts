import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, test } from 'vitest'
import { publishedDashboard, put, workbook } from '../support/catalog.ts'
import { keys, startOfTime, world } from '../support/service.ts'

const path = '/api/v1/embed/generate-session'

describe('a dry run of generating a session', () => {
  const service = world()

  const everything = async () => {
    const { client, tables } = service.storage
    const scans = Object.values(tables).map((TableName) => client.send(new ScanCommand({ TableName })))
    return (await Promise.all(scans)).map(({ Items }) => Items)
  }

  test('answers what would be in the token, its size and the limits, and writes nothing', async () => {
    const body = {
      deploymentId: 1,
      externalId: 'U-1',
      creatorMode: true,
      embedTenantName: 'dry',
      tenantGroups: ['editors'],
      tenantGroupDefinitions: [{ name: 'editors' }],
    }
    // The first use of a key in an hour is recorded, whatever it is used for.
    await service.get('/api/v1/deployments/1/dbt-sync', { key: keys.admin })
    const before = await everything()
    const dry = await service.post(`${path}?dryRun=true`, { key: keys.admin, body })
    expect(await everything()).toEqual(before)
    expect(dry.status).toBe(200)
    expect(dry.body.limits).toEqual({ maxTokenBytes: 7168, sessionSeconds: 300, tokenSeconds: 86_400 })

    const made = await service.post(path, { key: keys.admin, body })
    const { token } = (await service.post('/api/v1/embed/session/token', { body: made.body })).body
    const claims = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
    expect({ ...dry.body.claims, jti: claims.jti }).toEqual(claims)
    expect(dry.body.tokenBytes).toBe(token.length)
    expect(claims.iat).toBe(startOfTime / 1000)
  })

  test('warns of what a session takes, but is probably a mistake', async () => {
    await service.apply([
      put('attributeDefinition', { accountId: 'acme', embedTenantName: 'north', name: 'tier', type: 'number' }),
      workbook(1, 5, { publishedDashboard: publishedDashboard(1, 5, { publicId: 'known' }) }),
    ])
    const body = {
      deploymentId: 1,
      embedTenantName: 'north',
      userAttributes: [
        { name: 'left out', value: null },
        { name: 'tier', value: 'gold' },
        { name: 'other', value: 1 },
      ],
      settings: { locale: 'xx-Nope', timezone: 'Mars/Base' },
      publicDashboardId: 'unknown',
      embedTheme: {
        primaryColor: 'blurple',
        chat: { inputColor: '#12345' },
        analyticsChat: { backgroundColor: 'tael', chatInput: { backgroundColor: '1a5a86', borderColor: 'rgb' } },
      },
    }
    const dry = (request: object) => service.post(`${path}?dryRun=true`, { key: keys.admin, body: request })
    const { body: answer } = await dry(body)
    expect(answer.warnings.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/userAttributes/1/value',
      '/settings/locale',
      '/settings/timezone',
      '/publicDashboardId',
      '/embedTheme/analyticsChat/backgroundColor',
      '/embedTheme/analyticsChat/chatInput/backgroundColor',
      '/embedTheme/analyticsChat/chatInput/borderColor',
      '/embedTheme/chat/inputColor',
      '/embedTheme/primaryColor',
    ])
    expect(answer.warnings[0].message).toBe('is not a number, or its text, and the attribute is defined as number')
    expect((await service.post(path, { key: keys.admin, body })).status).toBe(200)

    const right = {
      ...body,
      userAttributes: [{ name: 'tier', value: '7' }],
      settings: { locale: 'en-GB', timezone: 'Europe/Oslo' },
      publicDashboardId: 'known',
      embedTheme: {
        primaryColor: 'Teal',
        chat: { inputColor: '#1a5a86' },
        analyticsChat: {
          backgroundColor: 'rgb(26 90 134)',
          chatInput: { backgroundColor: 'transparent', borderColor: '#FFF' },
        },
      },
    }
    expect((await dry(right)).body.warnings).toEqual([])
  })

  test('refuses what a session would be refused for, in the same words', async () => {
    const requests: [object, string][] = [
      [{ deploymentId: 9 }, keys.admin],
      [{ deploymentId: 1 }, keys.stranger],
      [{ deploymentId: 7 }, keys.closedAdmin],
      [{ deploymentId: 1, groups: ['none'] }, keys.admin],
      [{ deploymentId: 1, internalId: 'ada' }, keys.reader],
      [{ deploymentId: 1, securityContext: { text: 'x'.repeat(8000) } }, keys.admin],
      [{ deploymentId: 1, groupz: [] }, keys.admin],
    ]
    for (const [body, key] of requests) {
      const real = await service.post(path, { key, body })
      const dry = await service.post(`${path}?dryRun=true`, { key, body })
      expect(real.status).toBeGreaterThanOrEqual(400)
      expect([dry.status, { ...dry.body, requestId: '' }]).toEqual([real.status, { ...real.body, requestId: '' }])
    }
  })

  test('is asked for by true or false and nothing else', async () => {
    const status = async (dryRun: string) =>
      (await service.post(`${path}?dryRun=${dryRun}`, { key: keys.admin, body: { deploymentId: 1 } })).status
    expect([await status('true'), await status('false')]).toEqual([200, 200])
    expect([await status(''), await status('1'), await status('TRUE')]).toEqual([400, 400, 400])
  })
})
