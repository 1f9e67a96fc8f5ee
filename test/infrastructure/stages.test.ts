import { describe, expect, inject, test } from 'vitest'
import { settingsOf } from '../../stacks/settings.ts'
import { productionSettings } from './evaluate.ts'

const production = inject('production')
const preview = inject('preview')

test('production keeps its tables, and sst refuses to remove it', () => {
  expect(production.app).toMatchObject({ removal: 'retain', protect: true })
  const retained = production.resources.filter(({ retained }) => retained)
  expect(retained.map(({ name }) => name).sort()).toEqual(['CatalogTable', 'CredentialsTable', 'SessionsTable'])
})

test('a preview goes away whole', () => {
  expect(preview.app).toMatchObject({ removal: 'remove', protect: false })
  expect(preview.resources.filter(({ retained }) => retained)).toEqual([])
})

test('both are of the version of SST that is installed', () => {
  for (const { app } of [production, preview]) expect(app.version).toBe('4.17.1')
})

test('a deployment tells where it is and which tables it has', () => {
  expect(production.outputs).toMatchObject({ url: 'https://api.example.com' })
  expect(preview.outputs.url).toMatch(/^https:\/\/gateway\.execute-api\./)
  for (const { outputs } of [production, preview]) {
    for (const table of ['catalogTable', 'sessionsTable', 'credentialsTable']) {
      expect(outputs[table]).toMatch(/^embed-access-/)
    }
  }
})

describe('settings', () => {
  test('may be left out of a preview', () => {
    expect(settingsOf('pr-7', {})).toEqual({
      production: false,
      relied: false,
      domain: undefined,
      corsOrigins: [],
      alarmEmail: undefined,
      tokens: {},
    })
  })

  test.each(Object.keys(productionSettings))('in production %s may be none but not forgotten', (name) => {
    expect(() => settingsOf('production', { ...productionSettings, [name]: undefined })).toThrow(
      `Production needs ${name}. Set it to "none" if production has none.`,
    )
    expect(() => settingsOf('production', { ...productionSettings, [name]: 'none' })).not.toThrow()
  })

  test.each([
    ['pr-7', { DOMAIN: 'https://api.example.com' }, 'DOMAIN must be a host name'],
    ['pr-7', { CORS_ORIGINS: 'https://app.example.com/' }, 'CORS_ORIGINS must be origins'],
    ['pr-7', { CORS_ORIGINS: 'app.example.com' }, 'CORS_ORIGINS must be origins'],
    ['fourteen-chars', {}, 'The stage fourteen-chars must be'],
    ['Production', {}, 'The stage Production must be'],
  ])('that make no sense are refused: %s %j', (stage, settings, message) => {
    expect(() => settingsOf(stage, settings)).toThrow(message)
  })

  test('for tokens reach the functions as they are', () => {
    const tokens = { AUDIENCE: 'https://audience.example', TOKEN_LIFETIME_SECONDS: '3600' }
    expect(settingsOf('pr-7', tokens).tokens).toEqual(tokens)
  })

  test('a certificate of one’s own comes with the domain', () => {
    expect(settingsOf('pr-7', { DOMAIN: 'a.example', DOMAIN_CERTIFICATE_ARN: 'arn:aws:acm:1' }).domain).toEqual({
      name: 'a.example',
      certificateArn: 'arn:aws:acm:1',
    })
  })
})
