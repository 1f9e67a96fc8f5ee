import type { Account, Directory } from './directory.ts'
import { byId, element, suggest } from './dom.ts'

/** Who asks, with which key, about which deployment. */
export type Caller = {
  /** The account of the demo key that was picked. With a key of one's own, the account of the deployment. */
  account(): Account | undefined
  authorization(): string
  /** As it was typed. */
  deployment(): string
  /** What has to be typed before anything can be asked, as a sentence. */
  missing(): string | undefined
  /** The bar's fields, at which errors may belong. */
  readonly form: HTMLElement
  onChange(listener: () => void): void
}

const ownKey = 'own'

export function createCaller(directory: Directory): Caller {
  const form = byId('caller', HTMLFormElement)
  const select = byId('demo-key', HTMLSelectElement)
  const typed = byId('own-key', HTMLInputElement)
  const deployment = byId('deployment', HTMLInputElement)
  const listeners: (() => void)[] = []
  const keys = directory.accounts.flatMap((account) => account.keys.map((key) => ({ ...key, account })))
  const picked = () => keys.find(({ key }) => key === select.value)
  const changed = () => {
    for (const listener of listeners) listener()
  }

  select.append(
    ...directory.accounts.map(({ name, keys }) =>
      element('optgroup', { label: name }, ...keys.map(({ key, about }) => element('option', { value: key }, about))),
    ),
    element('option', { value: ownKey }, 'A key or token of your own …'),
  )
  byId('demo-key-field', HTMLElement).hidden = keys.length === 0

  let account: Account | undefined
  let offered: readonly Account[] = []
  const has = (id: string) => (each: Account) => each.deployments.some((known) => String(known.id) === id)
  function showPicked(): void {
    const key = picked()
    byId('own-key-field', HTMLElement).hidden = key !== undefined
    byId('demo-key-about', HTMLElement).textContent = key ? `${key.name}, ${key.email}` : ''
    offerDeployments(key ? [key.account] : directory.accounts)
    account = key?.account ?? directory.accounts.find(has(deployment.value.trim()))
  }
  function offerDeployments(accounts: readonly Account[]): void {
    if (accounts.length === offered.length && accounts.every((each, index) => each === offered[index])) return
    offered = accounts
    const deployments = accounts.flatMap((each) => each.deployments)
    suggest(
      'deployments',
      deployments.map(({ id, name }) => ({ value: String(id), label: name })),
    )
    const isOffered = accounts.some(has(deployment.value.trim()))
    if (deployments[0] && !isOffered) deployment.value = String(deployments[0].id)
  }
  function showDeployment(): void {
    const typedId = deployment.value.trim()
    const known = account?.deployments.find(({ id }) => String(id) === typedId)
    const fallback = typedId === '' ? '' : picked() ? 'Not of this account' : 'Not in this catalog'
    byId('deployment-name', HTMLElement).textContent = known?.name ?? fallback
    const owner = account ?? directory.accounts[0]
    const user = owner?.users.find(({ isAdmin }) => isAdmin) ?? owner?.users[0]
    byId('make-key', HTMLElement).textContent =
      owner && user ? `npm run keys -- create --url ${location.origin} --account ${owner.id} --user ${user.id}` : ''
  }

  showPicked()
  showDeployment()
  form.addEventListener('submit', (event) => event.preventDefault())
  form.addEventListener('input', () => {
    showPicked()
    showDeployment()
    changed()
  })
  return {
    account: () => account,
    authorization: () => `Bearer ${picked()?.key ?? typed.value.trim()}`,
    deployment: () => deployment.value.trim(),
    missing: () => {
      if (!picked() && typed.value.trim() === '') return 'Type an API key or token above.'
      return deployment.value.trim() === '' ? 'Type a deployment above.' : undefined
    },
    form,
    onChange: (listener) => listeners.push(listener),
  }
}
