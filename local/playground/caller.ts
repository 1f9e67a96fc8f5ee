import type { Account, Directory } from './directory.ts'
import { byId, element, suggest } from './dom.ts'

/** Who asks, with which key, about which deployment. */
export type Caller = {
  /** The account of the demo key that was picked; none with a key of one's own. */
  account(): Account | undefined
  authorization(): string
  /** As it was typed. */
  deployment(): string
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
  function showPicked(): void {
    const key = picked()
    byId('own-key-field', HTMLElement).hidden = key !== undefined
    byId('demo-key-about', HTMLElement).textContent = key ? `${key.name}, ${key.email}` : ''
    if (account === key?.account) return
    account = key?.account
    const deployments = account?.deployments ?? []
    suggest(
      'deployments',
      deployments.map(({ id, name }) => ({ value: String(id), label: name })),
    )
    if (deployments[0]) deployment.value = String(deployments[0].id)
  }
  function showDeployment(): void {
    const known = account?.deployments.find(({ id }) => String(id) === deployment.value.trim())
    const fallback = account && deployment.value !== '' ? 'Not of this account' : ''
    byId('deployment-name', HTMLElement).textContent = known?.name ?? fallback
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
    form,
    onChange: (listener) => listeners.push(listener),
  }
}
