import { describe, expect, test } from 'vitest'
import { stored } from '../operations/requests.ts'
import {
  keys,
  publishedDashboard,
  type Reply,
  startOfTime,
  tenantAttribute,
  workbook,
  world,
} from '../support/service.ts'
import { claimsIn, sessionsOf } from '../support/sessions.ts'

describe('a dry run of generating a session', () => {
  const service = world(undefined, { isInMemory: true })
  const { generate, dryRun, redeem } = sessionsOf(service)
  const warningsOf = async (request: object): Promise<string[]> => {
    const { warnings }: { warnings: Record<string, string>[] } = (await dryRun(request)).body
    return warnings.map(({ pointer, message }) => `${pointer} ${message}`)
  }

  test('answers claims, size and limits of the token, and writes nothing', async () => {
    const creator = { creatorMode: true, embedTenantName: 'dry', externalId: 'U-1' }
    const request = {
      ...creator,
      tenantGroups: ['editors'],
      tenantGroupDefinitions: [{ name: 'editors' }],
    }
    const before = await stored(service)
    const dry = await dryRun(request)
    expect(await stored(service)).toEqual(before)
    expect(dry.status).toBe(200)
    const limits = { maxTokenBytes: 7168, sessionSeconds: 300, tokenSeconds: 86_400 }
    expect(dry.body.limits).toEqual(limits)

    const { token } = (await redeem((await generate(request)).body.sessionId)).body
    const claims = claimsIn(token)
    expect({ ...dry.body.claims, jti: claims.jti }).toEqual(claims)
    expect(dry.body.tokenBytes).toBe(token.length)
    expect(claims.iat).toBe(startOfTime / 1000)
  })

  test('warns of what a session takes, but is probably a mistake', async () => {
    await service.apply([
      ...['tier', 'left out'].map((name) => tenantAttribute('north', name, { type: 'number' })),
      workbook(1, 5, { publishedDashboard: publishedDashboard(1, 5, { publicId: 'known' }) }),
    ])
    type Values = Record<'tier' | 'locale' | 'timezone' | 'publicDashboardId', string> & {
      readonly colors: string[]
    }
    const request = ({ tier, locale, timezone, publicDashboardId, colors }: Values) => {
      const [primaryColor, inputColor, backgroundColor, chatBackground, borderColor] = colors
      const chatInput = { backgroundColor: chatBackground, borderColor }
      return {
        embedTenantName: 'north',
        userAttributes: [
          { name: 'left out', value: null },
          { name: 'tier', value: tier },
        ],
        settings: { locale, timezone },
        publicDashboardId,
        embedTheme: {
          primaryColor,
          chat: { inputColor },
          analyticsChat: { backgroundColor, chatInput },
        },
      }
    }
    const wrong = {
      ...request({
        ...{ tier: 'gold', locale: 'xx-Nope', timezone: 'Mars/Base', publicDashboardId: 'unknown' },
        colors: ['blurple', '#12345', 'tael', '1a5a86', 'rgb'],
      }),
      branchName: 'a..b',
    }
    const noColor = 'is not a color of CSS, such as #1a5a86, rgb(26 90 134) or teal'
    expect(await warningsOf(wrong)).toEqual([
      '/userAttributes/1/value is not a number, or its text, and the attribute is defined ' +
        'as number',
      '/settings/locale is not a known locale (BCP 47), such as en-GB',
      '/settings/timezone is not a known time zone (IANA), such as Europe/Oslo',
      '/publicDashboardId is the public id of no dashboard of the deployment',
      '/branchName is not a name that git takes for a branch, such as feature/colors',
      `/embedTheme/analyticsChat/backgroundColor ${noColor}`,
      `/embedTheme/analyticsChat/chatInput/backgroundColor ${noColor}`,
      `/embedTheme/analyticsChat/chatInput/borderColor ${noColor}`,
      `/embedTheme/chat/inputColor ${noColor}`,
      `/embedTheme/primaryColor ${noColor}`,
    ])
    expect((await generate(wrong)).status).toBe(200)
    const malformed = await warningsOf({ settings: { locale: 'en_GB' } })
    expect(malformed).toEqual([expect.stringMatching('^/settings/locale ')])

    const right = request({
      ...{ tier: '7', locale: 'en-GB', timezone: 'Europe/Oslo', publicDashboardId: 'known' },
      colors: [' Teal ', '#1a5a86', 'rgb(26 90 134)', 'transparent', '#FFF'],
    })
    expect(await warningsOf(right)).toEqual([])
  })

  test('warns of no color that CSS has for the parts of a page', async () => {
    const known = ['Canvas', 'CanvasText', 'ButtonFace', 'AccentColor', 'GrayText']
    for (const primaryColor of [...known, 'GrayFace', 'DarkGrayText', 'GrayTextual']) {
      const warnings = await warningsOf({ embedTheme: { primaryColor } })
      expect(warnings, primaryColor).toHaveLength(known.includes(primaryColor) ? 0 : 1)
    }
  })

  test('warns of a new embed tenant, and of attributes that nothing has defined', async () => {
    await service.apply([tenantAttribute('north', 'region')])
    const userAttributes = [
      { name: 'regoin', value: 'EU' },
      { name: 'region', value: 'EU' },
      // Without a value it counts as left out.
      { name: 'nowhere', value: null },
      { name: 'nothing' },
    ]
    const undefinedAt = (index: number) =>
      `/userAttributes/${index}/name names no defined attribute: `
    expect(await warningsOf({ embedTenantName: 'north', userAttributes })).toEqual([
      `${undefinedAt(0)}"regoin"; the nearest one is "region"`,
    ])
    expect(await warningsOf({ embedTenantName: 'nroth', userAttributes })).toEqual([
      '/embedTenantName names no embed tenant yet, and a session would create it: "nroth"; the ' +
        'nearest one is "north"',
      `${undefinedAt(0)}"regoin"`,
      `${undefinedAt(1)}"region"`,
    ])
  })

  test('warns of values other than text for an attribute without a type', async () => {
    await service.apply(['tier', 'region'].map((name) => tenantAttribute('untyped', name)))
    const request = (tier: unknown) => ({
      embedTenantName: 'untyped',
      userAttributes: [
        { name: 'region', value: 'EU' },
        { name: 'tier', value: tier },
      ],
    })
    for (const value of [5, true, ['gold'], [5]]) {
      expect(await warningsOf(request(value))).toEqual([
        '/userAttributes/1/value is not a string, and the attribute is defined as string',
      ])
    }
    expect(await warningsOf(request('gold'))).toEqual([])
  })

  test('refuses what a session would be refused for, in the same words', async () => {
    for (const [request, key] of [
      [{ deploymentId: 9 }],
      [{}, keys.stranger],
      [{ deploymentId: 7 }, keys.closedAdmin],
      [{ groups: ['none'] }],
      [{ internalId: 'ada' }, keys.reader],
      [{ securityContext: { text: 'x'.repeat(8000) } }],
      [{ groupz: [] }],
    ] as const) {
      const [real, dry] = [await generate(request, key), await dryRun(request, key)]
      expect(real.status).toBeGreaterThanOrEqual(400)
      const told = ({ status, body }: Reply) => [status, { ...body, requestId: '' }]
      expect(told(dry)).toEqual(told(real))
    }
  })

  test('is asked for by true or false and nothing else', async () => {
    const status = async (value: string) =>
      (await generate({}, keys.admin, `?dryRun=${value}`)).status
    expect([await status('true'), await status('false')]).toEqual([200, 200])
    expect([await status(''), await status('1'), await status('TRUE')]).toEqual([400, 400, 400])
  })
})
