import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Field, type Form } from './fields.tsx'
import { ask, type Directory } from './use-directory.ts'
import { announce } from './words.tsx'

const ownKey = 'own'
const isPhone = matchMedia('(max-width: 44rem)').matches

type KeyBarProps = {
  readonly directory: Directory
  readonly bar: Form
  readonly typedKey: string
  setTypedKey(key: string): void
  /** A key or deployment has been chosen, or typed to its end. */
  settle(): void
}

/** Who asks, with which key, about which deployment. On a phone it folds to one line. */
export function KeyBar(props: KeyBarProps) {
  const { directory, bar, settle } = props
  const { account, accounts, owned, picked } = directory
  const { deployment = '' } = bar.values
  useDefaults(props)
  const known = owned?.deployments.find(({ id }) => String(id) === deployment.trim())
  const hasKeys = !accounts || accounts.some(({ keys }) => keys.length > 0)
  return (
    <details class="caller" open={!isPhone}>
      <summary>{`${picked?.about.split(';')[0] ?? account?.name ?? 'No key'}, deployment ${deployment}`}</summary>
      <form id="caller" aria-label="Who is asking" onSubmit={(event) => event.preventDefault()} onChange={settle}>
        {hasKeys && (
          <div class="field">
            <label for="demo-key">API key</label>
            <select
              id="demo-key"
              value={picked?.key ?? ownKey}
              onInput={(event) => bar.set({ key: event.currentTarget.value })}
            >
              {accounts?.map(({ id, name, keys }) => (
                <optgroup label={name} key={id}>
                  {keys.map(({ key, about }) => (
                    <option value={key} key={key} children={about} />
                  ))}
                </optgroup>
              ))}
              <option value={ownKey}>A key or token of your own …</option>
            </select>
            <p class="hint" aria-live="polite">
              {accounts ? picked && `${picked.name}, ${picked.email}` : 'The keys of the catalog are being read …'}
            </p>
          </div>
        )}
        {!picked && <OwnKey {...props} />}
        <Field
          form={bar}
          name="deployment"
          errorsOf="/deploymentId"
          class="narrow"
          label="Deployment"
          list="deployments"
          hint={known?.name ?? (deployment.trim() === '' || !owned ? '\u00a0' : 'Not of this account')}
        />
      </form>
    </details>
  )
}

/** A key that is typed, or made for a user who is picked by name. */
function OwnKey({ directory: { account, accounts = [] }, bar, typedKey, setTypedKey, settle }: KeyBarProps) {
  const [login, setLogin] = useState('')
  const [said, setSaid] = useState('Sent as Authorization: Bearer …, and kept nowhere.')
  useEffect(
    () => setLogin((account?.users.find(({ isAdmin }) => isAdmin) ?? account?.users[0])?.email ?? ''),
    [account?.id],
  )
  const user = account?.users.find(({ email }) => email.toLowerCase() === login.trim().toLowerCase())
  const make = async () => {
    const asked = ask<{ key: string }>('key', { account: account?.id ?? '', user: login }, 'POST')
    const made = await asked.catch((error: Error) => error)
    if ('key' in made) setTypedKey(made.key)
    settle()
    const told = 'key' in made ? `Made a key of ${user?.firstName ?? login}. It ends in a day.` : made.message
    setSaid(told)
    announce(told)
  }
  const form: Form = {
    values: { account: account?.id ?? '', user: login, key: typedKey },
    ids: 'own-',
    prefix: 'own ',
    set({ account, user, key }) {
      if (account !== undefined) bar.set({ account })
      if (user !== undefined) setLogin(user)
      if (key !== undefined) setTypedKey(key)
    },
  }
  return (
    <>
      {account && (
        <>
          <Field
            form={form}
            name="account"
            label="Account"
            class="short"
            as={accounts.map(({ id, name }) => [id, name])}
          />
          <Field
            form={form}
            name="user"
            label="User"
            class="short"
            list="internal-ids"
            hint={
              user &&
              `${user.firstName ? `${user.firstName}, user` : 'User'} ${user.id}, ${user.isAdmin ? 'an admin' : 'not an admin'}`
            }
          />
          <button type="button" onClick={make} children="Make a key" />
        </>
      )}
      <Field form={form} name="key" label="Key or token of your own" hint={said}>
        {user && (
          <p class="hint">
            In a shell:{' '}
            <code id="make-key">{`npm run keys -- create --url ${location.origin} --account ${account?.id} --user ${user.id}`}</code>
          </p>
        )}
      </Field>
    </>
  )
}

/** The first demo key, and the first deployment of the account. What a link names, or somebody has typed, stays. */
function useDefaults({ directory: { accounts, account, owned }, bar, typedKey, settle }: KeyBarProps): void {
  const { key, deployment = '' } = bar.values
  const before = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (!accounts) return
    const [first] = accounts.flatMap(({ keys }) => keys)
    if (key === undefined && typedKey === '') bar.set({ key: first?.key ?? ownKey })
    settle()
  }, [accounts])
  useLayoutEffect(() => {
    if (!account || !owned) return
    const isOther = before.current !== undefined && before.current !== account.id
    before.current = account.id
    const isOffered = owned.deployments.some(({ id }) => String(id) === deployment.trim())
    const [first] = owned.deployments
    if (first && !isOffered && (isOther || deployment === '')) bar.set({ deployment: String(first.id) })
    settle()
  }, [owned])
}
