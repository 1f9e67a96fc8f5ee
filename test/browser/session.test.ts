import type { Page, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { demoKeys } from '../../local/demo/keys.ts'
import { picture, visits } from './visit.ts'

const { open } = visits()

const fjordhus = '{"embedTenantName":"fjordhus","externalId":"","internalId":""}'

const openTab = (page: Page, name: string) => page.getByRole('tab', { name }).click()

/** Presses a button, and returns what the answer says that comes. */
async function press(page: Page, name: string, place: string): Promise<string | null> {
  await page.evaluate(
    `document.querySelector('${place} > .answer')?.classList.replace('answer', 'old')`,
  )
  await page.getByRole('button', { name }).click()
  return answered(page, place)
}
const answered = (page: Page, place: string) =>
  page.locator(`${place} > .answer > .outcome`).textContent()
const generate = (page: Page, name = 'Generate the session') =>
  press(page, name, '#generate-answer')
const previewed = async (page: Page) =>
  JSON.parse((await page.locator('#generate-request .request > .code > pre').textContent()) ?? '')
const redeem = async (page: Page) => {
  await page.getByRole('button', { name: 'Redeem the session' }).click()
  await page.locator('#token .token').waitFor()
}
const fillAttributes = async (page: Page, lines: string) => {
  await openTab(page, 'Attributes')
  await page.getByLabel('User attributes').fill(lines)
}
const errorsAt = (page: Page, id: string) =>
  page.locator(`.field:has(> #${id}) .error`).allTextContents()

/** Holds back requests for a path. Returns a function that lets them go on. */
async function heldBack(page: Page, path: string, which: { times?: number } = {}) {
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  const held = async (route: Route) => {
    await promise
    await route.continue()
  }
  await page.route(path, held, which)
  return letGo
}

test('a page of another origin is embedded, with the code that does it', async () => {
  const page = await open()
  const embedded = page.frameLocator('embed-frame iframe')
  await embedded.getByText('Workbooks of alder-oak, for ao-1001').waitFor()
  await embedded.getByRole('listitem').first().waitFor()
  const [own, other] = page.frames().map((frame) => new URL(frame.url()))
  expect(own?.hostname).toBe('127.0.0.1')
  expect(other?.href).toBe(`http://localhost:${own?.port}/playground/embedded/`)
  const sandbox = await page.locator('embed-frame iframe').getAttribute('sandbox')
  expect(sandbox).not.toMatch(/top-navigation|modals/)
  const [, frame] = page.frames()
  expect(await frame?.content()).not.toContain('sk-')

  // A renewed session is of the form as it is then.
  await page.getByLabel('Name of the user').fill('Ada')
  await embedded.getByRole('button', { name: 'Renew now' }).click()
  await embedded.getByText('Workbooks of alder-oak, for Ada').waitFor()
  await page.getByLabel('Name of the user').fill('')
  await page.getByLabel('Pick a person').selectOption(fjordhus)
  await embedded.getByText('Workbooks of fjordhus, for a guest').waitFor()

  const codes = page.locator('.code:visible')
  for (const code of await codes.all()) await code.getByRole('button', { name: /^Copy/ }).waitFor()
  expect(await codes.allTextContents()).toEqual([
    expect.stringContaining(`src="${other?.href}"`),
    expect.stringContaining('"embedTenantName": "fjordhus"'),
    expect.stringContaining('"deploymentId": 1001'),
  ])
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await codes.first().getByRole('button').click()
  await page.getByText('Copied.').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('<embed-frame')
  await openTab(page, 'The embedded page')
  expect(await codes.first().textContent()).toContain('sessionFromHost')
})

test('the frame is of the person picked last, even if an earlier answer is slow', async () => {
  const page = await open()
  const heading = page.frameLocator('iframe').getByText('Workbooks of ')
  await heading.filter({ hasText: 'for ao-1001' }).waitFor()
  const letGo = await heldBack(page, '**/generate-session', { times: 1 })
  const asked = page.waitForRequest('**/generate-session')
  await page.getByLabel('Pick a person').selectOption('ao-1003 of Alder & Oak Furnishings')
  await asked
  await page.getByLabel('Pick a person').selectOption(fjordhus)
  await heading.filter({ hasText: 'of fjordhus' }).waitFor()
  const late = page.waitForResponse('**/generate-session')
  letGo()
  await (await late).finished()
  await generate(page)
  expect(await heading.textContent()).toBe('Workbooks of fjordhus, for a guest')
})

test('a session that was asked for last is shown, even if an earlier answer is slow', async () => {
  const page = await open()
  await page.frameLocator('iframe').getByRole('listitem').first().waitFor()
  const letGo = await heldBack(page, '**/generate-session', { times: 1 })
  const asked = page.waitForRequest('**/generate-session')
  await page.getByLabel('External id').first().fill('first')
  await page.getByRole('button', { name: 'Generate the session' }).click()
  const late = (await asked).response()
  await page.getByLabel('External id').first().fill('last')
  await generate(page)
  letGo()
  await (await late)?.finished()
  await redeem(page)
  expect(await page.getByLabel('Claims').first().textContent()).toContain('"externalId": "last"')
})

test('after a change of account the frame waits for the deployment of the new one', async () => {
  const page = await open(`session?key=${demoKeys.otherAccount}`)
  await page.locator('.embedded').getByText('403 Forbidden').waitFor()
  const letGo = await heldBack(page, '**/playground/account.json*')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.postData() ?? ''))
  await page.getByLabel('API key').selectOption(demoKeys.admin)
  await page.waitForURL(/embedTenantName=alder-oak/)
  letGo()
  await page.frameLocator('iframe').getByText('Workbooks of alder-oak').waitFor()
  const bodies = asked.filter((body) => body.includes('deploymentId'))
  expect(bodies.map((body) => JSON.parse(body).deploymentId)).toEqual([1001])
})

test('a session is generated, redeemed, verified, refused and revoked on the page', async () => {
  const page = await open()
  await page
    .getByLabel('API key')
    .selectOption({ label: 'Tobias, an admin; the key is scoped to deployment 1001' })
  await page.getByLabel('Pick a person').selectOption('ao-1002 of Alder & Oak Furnishings')
  await page.getByLabel('E-mail').first().fill('ao-1002@alder-oak.example')
  await openTab(page, 'Groups and roles')
  await page.getByRole('button', { name: 'emea' }).click()
  await page.getByLabel('Creator mode').check()
  await page.getByRole('button', { name: 'board' }).click()
  await fillAttributes(page, 'region: ["north", "west"]\nsite: https://acme.example')
  await page.getByLabel('Security context').fill('{"customerId": 42}')
  await openTab(page, 'Settings')
  await page.getByLabel('allowAi').selectOption('off')
  await page.getByLabel('Time zone').fill('Europe/Oslo')

  const body = {
    deploymentId: 1001,
    embedTenantName: 'alder-oak',
    email: 'ao-1002@alder-oak.example',
    externalId: 'ao-1002',
    groups: ['emea'],
    creatorMode: true,
    tenantGroups: ['board'],
    securityContext: { customerId: 42 },
    settings: { allowAi: false, timezone: 'Europe/Oslo' },
    userAttributes: [
      { name: 'region', value: ['north', 'west'] },
      { name: 'site', value: 'https://acme.example' },
    ],
  }
  expect(await previewed(page)).toEqual(body)
  await page.locator('#generate-request summary').click()
  const code = page.locator('#generate-request details pre')
  expect(await code.textContent()).toContain(
    `-H 'Authorization: Bearer ${demoKeys.adminOfFirstDeployment}'`,
  )
  expect(await code.textContent()).toContain(`-d '${JSON.stringify(await previewed(page))}'`)
  await page.locator('#generate-request').getByRole('button', { name: 'Node' }).click()
  expect(await code.textContent()).toMatch(/^const response/)
  await page.locator('#generate-request').getByRole('button', { name: 'Python' }).click()
  expect(await code.textContent()).toMatch(/^import urllib/)

  const sent = page.waitForRequest((request) =>
    request.url().endsWith('/api/v1/embed/generate-session'),
  )
  expect(await generate(page)).toMatch(/^200 OK/)
  expect((await sent).postData()).toBe(
    await page.locator('#generate-request .request > .code > pre').textContent(),
  )

  await redeem(page)
  const token = page.locator('#token')
  expect(await token.locator('.badge').textContent()).toBe('Verified')
  expect(await token.locator('.time-left').textContent()).toMatch(/^expires in (1 d|23 h 59 min)$/)
  const claims = (await token.textContent()) ?? ''
  for (const part of [
    'embed+jwt',
    'system:tenant:alder-oak:group:board',
    '"customerId": 42',
    'Europe/Oslo',
  ]) {
    expect(claims).toContain(part)
  }

  const isGood = () => press(page, 'Is the token still good?', '#use-exchange')
  const call = () => press(page, 'Call the API with the token', '#use-exchange')
  expect(await isGood()).toMatch(/^200 OK/)
  expect(await call()).toMatch(/^403 Forbidden/)

  expect(await press(page, 'Redeem it again', '#redeem-exchange')).toMatch(
    /^401 Unauthorized.*already used/,
  )
  expect(await token.locator('.badge').textContent()).toBe('Verified')

  expect(await press(page, 'Revoke the session', '#revoke-exchange')).toMatch(/^204 No Content/)
  expect(await answered(page, '#use-exchange')).toMatch(/^403/)
  expect(await token.locator('.revoked').textContent()).toMatch(
    /^Revoked here\. .* those that follow the revocations refuse it within 30 seconds\.$/,
  )
  expect(await call()).toMatch(/^401 Unauthorized.*valid credential/)
  expect(await isGood()).toMatch(/^401/)
  await picture(page, 'session')
})

test('a token that was tampered with or has expired is not verified', async () => {
  const page = await open()
  await page.route('**/session/token', async (route) => {
    const response = await route.fetch()
    const { token, expiresIn } = await response.json()
    const [header, claims, signature] = token.split('.')
    const altered = {
      ...JSON.parse(Buffer.from(claims, 'base64url').toString()),
      externalId: 'somebody-else',
    }
    const forged = [
      header,
      Buffer.from(JSON.stringify(altered)).toString('base64url'),
      signature,
    ].join('.')
    await route.fulfill({ response, json: { token: forged, expiresIn } })
  })
  await generate(page)
  await redeem(page)
  expect(await page.locator('#token .badge').textContent()).toBe('Not verified')
  await page.locator('#token').getByText('signature verification failed').waitFor()

  const later = await open()
  await later.clock.setFixedTime(Date.now() + 2 * 86_400_000)
  await generate(later)
  await redeem(later)
  expect(await later.locator('#token .badge').textContent()).toBe('Not verified')
  await later.locator('#token').getByText('"exp" claim timestamp check failed').waitFor()
})

test('a token that expires while it is shown is verified no more', async () => {
  const page = await open()
  await openTab(page, 'Any other field')
  await page.getByLabel('Lifetime of the token').fill('60')
  await generate(page)
  await redeem(page)
  const token = page.locator('#token')
  expect(await token.locator('.outcome').textContent()).toMatch(
    /^Verified expires in (1 min|\d+ s)$/,
  )
  await page.clock.setFixedTime(Date.now() + 60_000)
  await token.getByText('has expired').waitFor()
  await token.getByText('Not verified').waitFor()
  expect(await page.locator('#announcer').textContent()).toBe('Not verified has expired')
})

test('an internal user’s token may call the API', async () => {
  const page = await open()
  await page.getByLabel('Pick a person').selectOption('Ines, ines.carvalho@harborline.example')
  expect(await previewed(page)).toEqual({
    deploymentId: 1001,
    internalId: 'ines.carvalho@harborline.example',
  })
  await generate(page)
  await redeem(page)
  expect(await press(page, 'Call the API with the token', '#use-exchange')).toMatch(/^200 OK/)
})

test('an admin views as an end user, and the token says who views', async () => {
  const page = await open()
  await page.getByLabel('View as this end user: who').fill('sam@support.example')
  await generate(page)
  expect(await errorsAt(page, 'actor-id')).toEqual([])
  expect(await errorsAt(page, 'actor-reason')).toEqual([expect.stringMatching(/required/)])
  await page.getByLabel('View as this end user: why').fill('Ticket 4711')
  await openTab(page, 'Any other field')
  await page.getByLabel('Branch').fill('feature/colors')
  expect(await previewed(page)).toEqual({
    deploymentId: 1001,
    embedTenantName: 'alder-oak',
    externalId: 'ao-1001',
    actor: { id: 'sam@support.example', reason: 'Ticket 4711' },
    branchName: 'feature/colors',
  })
  await openTab(page, 'End user')
  await page.getByLabel('External id').first().fill('')
  await generate(page)
  expect(await errorsAt(page, 'actor-id')).toEqual([expect.stringMatching(/needs externalId/)])
  await page.getByLabel('External id').first().fill('ao-1001')
  await generate(page)
  await redeem(page)
  const token = page.locator('#token')
  await token.getByText('sam@support.example views as this end user.').waitFor()
  expect(await token.locator('.time-left').textContent()).toMatch(/^expires in (30|29) min/)
  expect(await token.getByLabel('Claims').first().textContent()).toContain('feature/colors')
})

test('a dry run tells claims, size and warnings, and makes no session', async () => {
  const page = await open()
  await openTab(page, 'Settings')
  await page.getByLabel('Time zone').fill('Europe/Nowhere')
  await page.getByLabel('Dry run').check()
  expect(await page.locator('#generate-request .request-line').textContent()).toMatch(
    /\?dryRun=true$/,
  )
  await generate(page, 'Try it without a session')
  const answer = page.locator('#generate-answer')
  expect(await answer.textContent()).toMatch(/of at most 7168 bytes/)
  expect(await answer.locator('.warnings').textContent()).toMatch(
    /^\/settings\/timezone is not a known time zone/,
  )
  expect(await answer.getByLabel('Claims').first().textContent()).toContain('Europe/Nowhere')
  expect(await page.getByRole('button', { name: 'Redeem the session' }).isDisabled()).toBe(true)
})

test('what is wrong is said at its field, which has the focus', async () => {
  const page = await open()
  await openTab(page, 'Groups and roles')
  await page.getByLabel('Global groups', { exact: true }).fill('emea\nnobody-knows\nnor-this')
  await generate(page)
  const groups = page.locator('#groups')
  const containing = ['/groups/1', '/groups/2'].map((pointer) => expect.stringContaining(pointer))
  expect(await errorsAt(page, 'groups')).toEqual(containing)
  expect(await groups.getAttribute('aria-invalid')).toBe('true')
  expect(await groups.getAttribute('aria-describedby')).toBe('groups-hint groups-errors')
  expect(await page.evaluate('document.activeElement.id')).toBe('groups')

  await groups.fill('emea')
  expect(await page.locator('.error').count()).toBe(0)
  expect(await groups.getAttribute('aria-invalid')).toBeNull()

  await openTab(page, 'Any other field')
  await page.getByLabel('More fields of the body').fill('{"settings": {"locale": 7}, "grups": []}')
  await page.getByLabel('Deployment').fill('many')
  await openTab(page, 'End user')
  await generate(page)
  await page.locator('.error').nth(2).waitFor({ state: 'attached' })
  expect(await errorsAt(page, 'deployment')).toEqual([expect.stringMatching(/integer/)])
  expect(await errorsAt(page, 'settings-locale')).toEqual([
    expect.stringMatching(/must be a string/),
  ])
  expect(await errorsAt(page, 'more')).toEqual([expect.stringMatching(/the nearest one is groups/)])
  expect(await page.getByRole('tab').filter({ hasText: '▲' }).allTextContents()).toEqual([
    'Settings ▲',
    'Any other field ▲',
  ])
  await picture(page, 'errors')

  await page.frameLocator('iframe').getByRole('listitem').first().waitFor()
  const requests: string[] = []
  page.on('request', (request) => request.url().includes('/api/') && requests.push(request.url()))
  await openTab(page, 'Attributes')
  await page.getByLabel('Security context').fill('{not json')
  await page.getByLabel('User attributes').fill('region')
  await page.getByRole('button', { name: 'Generate the session' }).click()
  expect(await errorsAt(page, 'security-context')).toEqual([expect.stringMatching(/is not JSON/)])
  expect(await errorsAt(page, 'user-attributes')).toEqual([
    expect.stringMatching(/without a colon/),
  ])
  expect(requests).toEqual([])
})

test('an error at its field moves nothing', async () => {
  const page = await open()
  await openTab(page, 'Groups and roles')
  const places = () =>
    page.evaluate<unknown[]>(`[...document.querySelectorAll('#session-form *, #generate')]
      .filter((each) => !each.closest('.errors, span.bad'))
      .map((each) => [each.tagName, ...Object.values(each.getBoundingClientRect().toJSON())])`)
  await page.getByLabel('Global groups', { exact: true }).fill('nobody-knows\nnor-this')
  await page.evaluate('scrollTo(0, 0)')
  const before = await places()
  await generate(page)
  await page.locator('.error').nth(1).waitFor()
  await page.evaluate('scrollTo(0, 0)')
  expect(before.length).toBeGreaterThan(40)
  expect(await places()).toEqual(before)
})

test('theme, profile and roles are fields; a link has the form without an own key', async () => {
  const page = await open()
  await page.getByLabel('Name of the user').fill('Ada')
  await openTab(page, 'Theme')
  await page.getByLabel('Primary colour').fill('#1a5a86')
  await page.getByLabel('Border of its input', { exact: true }).fill('teal')
  await openTab(page, 'Groups and roles')
  await page.getByLabel('Roles', { exact: true }).fill('viewer\neditor')
  await fillAttributes(page, 'seats: 7')
  const body = {
    deploymentId: 1001,
    embedTenantName: 'alder-oak',
    externalId: 'ao-1001',
    userProfile: { displayName: 'Ada' },
    roles: ['viewer', 'editor'],
    userAttributes: [{ name: 'seats', value: 7 }],
    embedTheme: { primaryColor: '#1a5a86', analyticsChat: { chatInput: { borderColor: 'teal' } } },
  }
  expect(await previewed(page)).toEqual(body)
  await page.getByLabel('API key').selectOption('own')
  await page.getByLabel('Key or token of your own').fill('sk-secret')
  // The address is written after the page. It has what was typed last, and not the key.
  await openTab(page, 'Groups and roles')
  await page.getByLabel('Roles', { exact: true }).fill('viewer\neditor\nlast')
  await page.waitForURL(/last/)
  const link = page.url()
  expect(link).not.toContain('secret')
  const again = await open(link.split('#')[1])
  expect(await previewed(again)).toEqual({ ...body, roles: ['viewer', 'editor', 'last'] })
  expect(await again.locator('#own-key').inputValue()).toBe('')
})

test('a key with a character that no key has is not sent, and the page says why', async () => {
  const page = await open()
  await page.getByLabel('API key').selectOption('own')
  await page.getByLabel('Key or token of your own').fill(`${demoKeys.admin}\u200b`)
  await page.getByRole('button', { name: 'Generate the session' }).click()
  expect(await answered(page, '#generate-answer')).toMatch(
    /Not sent: the key has a character that no key has\.$/,
  )
})

test('with slow data the form works while suggestions load', async () => {
  const page = await open('session', {}, async (page) => {
    await page.route('**/playground/*.json*', () => {})
  })
  await page.getByText('The keys of the catalog are being read').waitFor()
  await page.getByLabel('Key or token of your own').fill(demoKeys.admin)
  await page.getByLabel('Deployment').fill('1001')
  await page.getByLabel('External id').first().fill('someone')
  expect(await generate(page)).toMatch(/^200 OK/)
})
