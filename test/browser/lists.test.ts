import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { demoKeys } from '../../local/demo/keys.ts'
import { picture, visits } from './visit.ts'

const { open, url } = visits()

type Item = { readonly [name: string]: unknown }

const workbooksOf = (tenant: string) => `embed-tenants/${tenant}/workbooks`

async function fromApi(path: string): Promise<Item[]> {
  const headers = { authorization: `Bearer ${demoKeys.admin}` }
  const reply = await fetch(`${url()}/api/v1/deployments/1001/${path}`, { headers })
  return ((await reply.json()) as { items: Item[] }).items
}

const idsOf = (items: readonly Item[]) => items.map(({ id }) => String(id))

/** A section with a list, which `listed` waits for after something that lists anew. */
async function openList(id: string, query = '') {
  const page = await open(id + query)
  const section = page.locator(`#${id}`)
  async function listed(action: () => Promise<unknown>): Promise<void> {
    await page.evaluate(`document.querySelector('#${id} .listing > .outcome').dataset.old = ''`)
    await action()
    await section.locator('.listing > .outcome:not([data-old])').waitFor()
  }
  const press = (name: string) => listed(() => section.getByRole('button', { name }).click())
  return { page, section, listed, press, list: () => press('List') }
}

/** The rows of the workbooks' table, with the folders and the reasons in words. */
const rowsOf = (page: Page) =>
  page.evaluate<{ id: string; path: string; reasons: string[] }[]>(`(() => {
    const texts = (row, label) =>
      [...row.querySelectorAll('[data-label="' + label + '"] li:not(.hint)')]
        .map((li) => li.textContent)
    return [...document.querySelectorAll('#workbooks tbody tr')].map((row) => ({
      id: row.querySelector('td:first-child .hint').textContent,
      path: texts(row, 'Folder').join('/'),
      reasons: texts(row, 'Seen because'),
    }))
  })()`)

test('the page lists what an embed tenant sees, by each source, with its folders', async () => {
  const { page, section, listed } = await openList('workbooks', '?first=200')
  for (const source of ['tenant', 'allEmbedUsers', 'folder', '']) {
    await listed(() => section.getByLabel('Access source').selectOption(source))
    const items = await fromApi(`${workbooksOf('alder-oak')}?first=200&accessSource=${source}`)
    expect(items.length).toBeGreaterThan(2)
    const rows = await rowsOf(page)
    expect(rows.map(({ id }) => id)).toEqual(idsOf(items))
    const folders = items.map(({ folderPath }) => folderPath as { name: string }[])
    expect(rows.map(({ path }) => path)).toEqual(
      folders.map((path) => path.map(({ name }) => name).join('/')),
    )
  }
  await picture(page, 'workbooks')
})

test('the page shows every reason why the tenant sees a workbook, for any source', async () => {
  const { page, section, listed } = await openList('workbooks', '?first=200')
  const shown = new Map((await rowsOf(page)).map(({ id, reasons }) => [id, reasons]))
  const items = await fromApi(`${workbooksOf('alder-oak')}?first=200&include=accessSources`)
  expect([...shown].map(([id, reasons]) => [id, reasons.length])).toEqual(
    items.map(({ id, accessSources }) => [String(id), (accessSources as unknown[]).length]),
  )
  const [byTenant, byAll] = ['shared with alder-oak', 'shared with all embed users']
  const expected: Record<string, string[]> = {
    'Category Mix': [byTenant],
    'Spend Pacing': [byAll],
    'Daily Sales Pulse': [byTenant, byAll],
    'New and Returning Buyers': [byTenant, byAll, `through folder Shared With Everyone, ${byAll}`],
    'Margin Watch': [`through folder Alder & Oak, ${byTenant}`],
  }
  for (const [name, reasons] of Object.entries(expected)) {
    const alike = items.filter((item) => item.name === name).map(({ id }) => shown.get(String(id)))
    expect(alike, name).toContainEqual(reasons)
  }
  expect([...shown.values()]).toContainEqual([
    `through folder Alder & Oak, ${byTenant}`,
    `through folder Q1, ${byTenant}`,
    `through folder Board Copies, ${byAll}`,
  ])

  await listed(() => section.getByLabel('Access source').selectOption('Folder'))
  const throughFolders = await rowsOf(page)
  expect(throughFolders.length).toBeLessThan(shown.size)
  for (const { id, reasons } of throughFolders) expect(reasons).toEqual(shown.get(id))
  await section.getByText('The request and its answer').click()
  await section.getByText('As curl, Node or Python').click()
  expect(await section.locator('.request details pre').textContent()).toContain(
    '/workbooks?accessSource=folder&include=accessSources&first=200',
  )
  await picture(page, 'workbooks-reasons')
})

test('names in reasons are text, and the tenant is the one that was asked for', async () => {
  const { page, section, list } = await openList('workbooks')
  const markup = '<img src="/nowhere" alt="">'
  const tenant = page.locator('#workbooks-tenant')
  await page.route('**/workbooks?*', async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    body.items[0].accessSources = [
      { source: 'tenant' },
      {
        source: 'folder',
        folder: { id: 1, name: markup },
        grantee: { type: 'embedTenant', name: markup },
      },
    ]
    await tenant.fill('brightwater')
    await route.fulfill({ response, json: body })
  })
  await tenant.fill('Alder-Oak')
  await list()
  const [row] = await rowsOf(page)
  expect(row?.reasons).toEqual([
    'shared with alder-oak',
    `through folder ${markup}, shared with ${markup}`,
  ])
  expect(await tenant.inputValue()).toBe('brightwater')
  expect(await section.locator('img').count()).toBe(0)
})

test('workbooks are listed page by page, forward and back', async () => {
  const { page, section, press } = await openList('workbooks', '?first=3')
  const all = idsOf(await fromApi(workbooksOf('alder-oak')))
  const ids = async () => (await rowsOf(page)).map(({ id }) => id)
  expect(await ids()).toEqual(all.slice(0, 3))
  await press('Next page')
  expect(await ids()).toEqual(all.slice(3, 6))
  await section.getByText('The request and its answer').click()
  expect(await section.locator('.request-line').textContent()).toMatch(/first=3&after=/)
  await press('Previous page')
  expect(await ids()).toEqual(all.slice(0, 3))
  // What is typed counts with the next list, not with the next page of this one.
  await page.locator('#workbooks-tenant').fill('brightwater')
  await press('Next page')
  expect(await ids()).toEqual(all.slice(3, 6))
})

test('dbt syncs are listed by status and trigger, with their phases to scale', async () => {
  const { page, section, listed } = await openList('syncs')
  await listed(() => page.getByLabel('Status').selectOption('FAILED'))
  await listed(() => page.getByLabel('Trigger').selectOption('webhook'))
  const items = await fromApi('dbt-sync?status=FAILED&trigger=webhook&first=10')
  const syncs = section.locator('.sync')
  expect(await syncs.locator('.sync-facts b').allTextContents()).toEqual(
    items.map(({ branchName }) => branchName),
  )
  expect(new Set(await syncs.locator('.badge').allTextContents())).toEqual(new Set(['FAILED']))
  expect(await syncs.locator('.sync-error').count()).toBe(items.length)

  type Segment = { title: string; left: number; width: number }
  const drawn = await page.evaluate<
    Segment[][]
  >(`[...document.querySelectorAll('#syncs .timeline')].map((bar) => {
    const all = bar.getBoundingClientRect()
    return [...bar.querySelectorAll('.segment')].map((segment) => {
      const { left, width } = segment.getBoundingClientRect()
      return { title: segment.title, left: (left - all.left) / all.width, width: width / all.width }
    })
  })`)
  type Phase = { phase: string; outcome: string; durationMs: number; startedOffsetMs: number }
  const phasesOf = (item: Item | undefined) => (item?.phases ?? []) as Phase[]
  const msOfWidth = drawn.flatMap((bar, sync) =>
    bar.flatMap(({ title, left, width }, index) => {
      const { phase, outcome, durationMs, startedOffsetMs } = phasesOf(items[sync])[index] as Phase
      expect(title).toContain(`${phase}: ${outcome}, `)
      return [durationMs / width, ...(startedOffsetMs > 0 ? [startedOffsetMs / left] : [])]
    }),
  )
  // All have the same milliseconds to the width, but for parts of a pixel.
  const [scale = 0] = msOfWidth
  for (const each of msOfWidth) expect(each / scale).toBeCloseTo(1, 1)

  await syncs.first().getByText('Phases and details').click()
  expect(JSON.parse((await syncs.first().locator('pre').textContent()) ?? '')).toEqual(items[0])
  await listed(() => page.getByLabel('Trigger').selectOption(''))
  await listed(() => page.getByLabel('Status').selectOption('UNKNOWN'))
  expect(await syncs.first().textContent()).toContain('no times')
  await picture(page, 'syncs-unknown')
})

test('notifications are listed by dashboard and by recipient', async () => {
  const { page, section, listed, list } = await openList('notifications')
  const expectLike = async (query: string) => {
    const items = await fromApi(`notifications?first=10&${query}`)
    expect(items.length).toBeGreaterThan(0)
    expect(await section.locator('tbody td:first-child').allTextContents()).toEqual(idsOf(items))
  }
  const [some] = await fromApi('notifications?recipientUserId=1')

  await section.getByLabel('Id', { exact: true }).fill(String(some?.dashboardId))
  await list()
  await expectLike(`dashboardId=${some?.dashboardId}`)
  await section.getByLabel('User id').fill('1')
  await listed(() => section.getByLabel('User id').press('Enter'))
  await expectLike(`dashboardId=${some?.dashboardId}&recipientUserId=1`)
  await section.getByLabel('Id', { exact: true }).fill('')
  await section.getByLabel('User id').fill('')
  await section.getByLabel('Embed tenant').fill('alder-oak')
  await list()
  const missing = section.locator('.field:has(> #notifications-recipient-external-id) .error')
  await missing.first().waitFor()
  expect(await missing.count()).toBe(1)
  await section.getByLabel('External id').fill('ao-1001')
  await list()
  await expectLike('recipientEmbedTenantName=alder-oak&recipientExternalId=ao-1001')
  expect(await section.locator('.error').count()).toBe(0)

  await section.getByLabel('User id').fill('1')
  await list()
  await expect.poll(() => section.locator('.error').count()).toBe(3)
  await picture(page, 'notifications-errors')
})

/** A page of a section whose list has these items. */
const answerWith = (tab: string, path: string, items: readonly object[], options = {}) =>
  open(tab, options, async (page) => {
    await page.route(`**/${path}?*`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), items } })
    })
  })
const sync = {
  ...{ syncJobId: 'a', deploymentId: 1001, branchName: 'main', source: 'git', trigger: 'api' },
  ...{ startedAt: '2026-01-01T00:00:00Z', status: 'FAILED', errorMessage: 'No such model.' },
}

test('phases that end after their sync stay on the scale', async () => {
  const phases = [{ phase: 'run', startedOffsetMs: 300_000, durationMs: 600_000 }]
  const page = await answerWith('syncs', 'dbt-sync', [{ ...sync, durationMs: 1000, phases }])
  const placeOf = async (of: string) =>
    (await page.locator(of).boundingBox()) ?? { x: Number.NaN, width: Number.NaN }
  const [bar, segment] = [await placeOf('.timeline'), await placeOf('.segment')]
  expect((segment.x - bar.x) / bar.width).toBeCloseTo(1 / 3)
  expect(segment.width / bar.width).toBeCloseTo(2 / 3)
})

test('the phases keep their colours where the system sets its own', async () => {
  const colours = async (options = {}) => {
    const page = await open('syncs', options)
    return page.evaluate(
      `[...document.querySelectorAll('.segment, .swatch')]
        .map((each) => getComputedStyle(each).background)`,
    )
  }
  expect(await colours({ forcedColors: 'active' })).toEqual(await colours())
})

test('what a sync or a notification lacks is left out, or unknown', async () => {
  const phases = [{ phase: 'run', startedOffsetMs: 5, durationMs: 7 }, { durationMs: 9 }, {}]
  const syncs = await answerWith('syncs', 'dbt-sync', [sync, { ...sync, syncJobId: 'b', phases }])
  const shown = syncs.locator('#syncs .sync')
  expect(await shown.locator('.sync-error').allTextContents()).toEqual(
    Array(2).fill('No such model.'),
  )
  expect(await shown.locator('.segment').count()).toBe(1)
  expect(await shown.locator('.segment.stopped').count()).toBe(0)
  const told = await shown.evaluateAll((all) => all.map((each) => each.outerHTML).join())
  expect(told).toContain('unknown phase: unknown outcome, 9 ms')
  expect(told).toContain('12 ms')
  expect(told).not.toMatch(/undefined|NaN/)

  const bare = { id: 1, deploymentId: 1001 }
  const page = await answerWith('notifications', 'notifications', [
    bare,
    { ...bare, filters: [{ member: 'orders.region' }, {}], isEnabled: true },
    { ...bare, memberSwitchers: [{ member: 'a' }], timeGrains: [{ member: 'b' }] },
    { ...bare, isEnabled: false },
    { ...bare, isEnabled: true, notificationEnabled: true },
  ])
  const table = page.locator('#notifications tbody')
  expect(await table.locator('.badge').allTextContents()).toEqual([
    ...['unknown', 'unknown', 'unknown', 'schedule off', 'on'],
  ])
  expect(await table.locator('code').allTextContents()).toEqual(['orders.region', 'for a', 'b'])
  expect(await table.innerHTML()).not.toMatch(/undefined|NaN/)
})

test('a link has the tab with its filters, and the address follows what is typed', async () => {
  const link = '?tenant=brightwater&accessSource=tenant&first=3&deployment=1001'
  const { page, section } = await openList('workbooks', link)
  expect(await section.getByLabel('Access source').inputValue()).toBe('tenant')
  const items = await fromApi(`${workbooksOf('brightwater')}?first=3&accessSource=tenant`)
  expect((await rowsOf(page)).map(({ id }) => id)).toEqual(idsOf(items))

  await section.getByLabel('Page size').fill('4')
  await page.waitForURL(/first=4/)
  await page.getByRole('link', { name: 'dbt syncs' }).click()
  await page.locator('#syncs .listing > .outcome').waitFor()
  await page.getByLabel('Status').selectOption('FAILED')
  await page.waitForURL(/#syncs\?key=.*deployment=1001.*status=FAILED/)
  await page.goBack()
  await section.locator('.outcome').first().waitFor()
  expect(await page.evaluate('location.hash')).toMatch(/^#workbooks\?.*tenant=brightwater.*first=4/)
})

test('the address has all that is typed, after few changes of the address', async () => {
  const { page, section } = await openList('workbooks')
  const field = section.getByLabel('Embed tenant')
  await page.waitForURL(/tenant=/)
  // Safari throws after 100 changes in ten seconds: a key that is held down types 30 a second.
  await page.evaluate(`(() => {
    const original = history.replaceState.bind(history)
    let changes = 0
    history.replaceState = (...address) => {
      changes += 1
      if (changes > 100) throw new Error('The browser takes no more addresses.')
      original(...address)
    }
  })()`)
  await field.fill('')
  await field.pressSequentially('x'.repeat(150), { delay: 20 })
  await page.waitForURL(/tenant=x{150}(&|$)/, { timeout: 5000 })
})

test('a new address holds, even if the page writes the old one before it sees that', async () => {
  const { page } = await openList('workbooks')
  await page.waitForURL(/tenant=/)
  await page.evaluate(`(() => {
    const old = location.hash
    location.hash = '#syncs?status=FAILED'
    history.replaceState(null, '', old)
  })()`)
  await page.waitForURL(/#syncs\?key=.*status=FAILED/, { timeout: 5000 })
})

test('the page explains step by step whether a tenant sees a workbook', async () => {
  const { page, section } = await openList('workbooks', '?tenant=alder-oak&why=5155')
  const explained = page.locator('.explanation')
  await explained.getByText('alder-oak sees Category Mix – Shared With Everyone.').waitFor()
  expect(await explained.locator('.badge').textContent()).toBe('Seen')
  const facts = explained.getByRole('listitem')
  expect(await facts.count()).toBe(11)
  expect(await facts.allTextContents()).toEqual(
    expect.arrayContaining([
      'It lies in 124 ("Partner Portal") / 125 ("Shared With Everyone").',
      'Folder 125 ("Shared With Everyone") is shared with all embed users.',
    ]),
  )
  await picture(page, 'explained')

  const workbook = section.getByLabel('Workbook', { exact: true })
  await workbook.fill('5002')
  expect(await page.locator('#workbooks-why-hint').textContent()).toBe('Weekend Trading')
  await page.getByRole('button', { name: 'Explain' }).click()
  await explained.getByText('alder-oak does not see Weekend Trading.').waitFor()
  expect((await facts.allTextContents()).filter((fact) => / is shared /.test(fact))).toEqual([])
  expect(await page.locator('#announcer').textContent()).toBe(
    'Not seen alder-oak does not see Weekend Trading.',
  )

  await workbook.fill('many')
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.locator('.explain').getByText('workbook must be an integer.').waitFor()
  await workbook.fill('')
  await page.getByRole('button', { name: 'Who can see this workbook?' }).click()
  await page.locator('.explain').getByText('workbook is missing.').waitFor()
})

test('a workbook of the list leads to why it is seen, and to all who see it', async () => {
  const { page, section } = await openList('workbooks', '?tenant=alder-oak&first=10')
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  const name = 'Margin Watch – Shared With Everyone'
  await section.getByRole('button', { name: `Why alder-oak sees ${name}` }).click()
  await page.locator('.explanation').getByText(`alder-oak sees ${name}.`).waitFor()
  await page.waitForFunction('document.activeElement.matches(".explain .outcome")')
  expect(asked.filter((address) => address.includes('/embed-tenants/'))).toEqual([])

  await section.getByRole('button', { name: 'Who can see Margin Watch', exact: true }).click()
  const viewers = page.locator('.viewers')
  await viewers.getByText('Who sees Margin Watch:').waitFor()
  const id = await page.locator('#workbooks-why').inputValue()
  const items = await fromApi(`workbooks/${id}/embed-tenants`)
  expect(items).toHaveLength(1)
  expect(await viewers.locator('li b').allTextContents()).toEqual(['alder-oak'])
  expect(await viewers.textContent()).toContain('through folder Alder & Oak, shared with alder-oak')
  await viewers.getByRole('button', { name: 'Why alder-oak' }).click()
  await page.locator('.explanation').getByText('alder-oak sees Margin Watch.').waitFor()

  await page.locator('#workbooks-why').fill('5155')
  await section.getByRole('button', { name: 'Who can see this workbook?' }).click()
  await viewers.locator('b', { hasText: 'All embed users' }).waitFor()
})

test('how long a sync has run is computed, and goes on', async () => {
  const [running] = await fromApi('dbt-sync?status=RUNNING&first=1')
  const time = Date.parse(String(running?.startedAt)) + 7 * 60_000
  const page = await open('syncs?status=RUNNING', {}, async (page) => {
    await page.clock.install({ time })
  })
  const first = page.locator('#syncs .sync').first()
  await first.getByText(/^7 min( \d+ s)? so far$/).waitFor()
  await page.clock.fastForward(60_000)
  await first.getByText(/^8 min( \d+ s)? so far$/).waitFor()
})

test('recent requests say why each was a 401, and have no credential', async () => {
  const page = await open('requests')
  const path = '/api/v1/deployments/1001/notifications'
  const call = (key: string) => fetch(url() + path, { headers: { authorization: `Bearer ${key}` } })
  const keys = ['sk-nobody-has', demoKeys.expired, demoKeys.admin]
  for (const key of keys) await call(key)
  const rows = page.locator('#requests tbody tr').filter({ hasText: path })
  const whys = rows.locator('[data-label=Why]')
  for (const reason of ['expired key', 'unknown key'])
    await whys.getByText(reason).first().waitFor()
  expect(await rows.locator('.badge').allTextContents()).toContain('401')
  const shown = await page.locator('#requests').textContent()
  for (const key of keys) expect(shown).not.toContain(key)
})

test('a section without suggestions says what to type, and waits no longer', async () => {
  const page = await open('workbooks', {}, async (page) => {
    await page.route('**/playground/things.json*', (route) => route.abort())
  })
  await page.locator('#workbooks .listing').getByText('Type an embed tenant.').waitFor()
  await page.locator('#content[aria-busy=false]').waitFor()
})

test('each part of the page says that the service has stopped', async () => {
  const page = await open('requests')
  const said = 'Nothing answered. Is npm start still running?'
  const newest = page.locator('#requests .outcome')
  await newest.getByText(/^The latest \d+, newest first\.$/).waitFor()
  await page.route('**', (route) => route.abort())
  await newest.getByText(said).waitFor()
  await page.getByRole('link', { name: 'Workbooks' }).click()
  await page.locator('#workbooks .listing').getByText(said).waitFor()
  await page.getByLabel('Workbook', { exact: true }).fill('5155')
  await page.getByRole('button', { name: 'Explain' }).click()
  await page.locator('.explain').getByText(said).waitFor()
  await page.getByLabel('API key').selectOption('own')
  await page.locator('#caller').getByRole('button', { name: 'Make a key' }).click()
  await page.locator('#own-key-hint').getByText(said).waitFor()
})
