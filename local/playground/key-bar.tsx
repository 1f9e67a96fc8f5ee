import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Field, type Form, Input } from './fields.tsx'
import { ask, type Directory } from './use-directory.ts'
import { announce } from './words.tsx'

export const ownKey = 'own'

type KeyBarProps = {
  readonly directory: Directory
  readonly bar: Form
  readonly typedKey: string
  setTypedKey(key: string): void
  /** A key or deployment has been chosen, or typed to its end. */
  settle(): void
  readonly isPhone: boolean
}

/** Who asks, with which key, about which deployment. On a phone it folds to one line. */
export function KeyBar(props: KeyBarProps) {
  const { directory, bar, settle, isPhone } = props
  const { account, accounts, owned, picked } = directory
  const [isOpen, setOpen] = useState(false)
  const { deployment = '' } = bar.values
  useDefaults(props)
  const known = owned?.deployments.find(({ id }) => String(id) === deployment.trim())
  const summary = `${picked?.about.split(';')[0] ?? account?.name ?? 'No key yet'}, deployment ${deployment || 'not chosen'}`
  const hasKeys = accounts?.some(({ keys }) => keys.length > 0) ?? false
  return (
    <form
      class="caller"
      id="caller"
      aria-label="Who is asking"
      onSubmit={(event) => event.preventDefault()}
      onChange={settle}
    >
      {isPhone && (
        <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {summary}
        </button>
      )}
      {(!isPhone || isOpen) && (
        <>
          {(hasKeys || !accounts) && (
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
                      <option value={key} key={key}>
                        {about}
                      </option>
                    ))}
                  </optgroup>
                ))}
                <option value={ownKey}>A key or token of your own …</option>
              </select>
              <p class="hint" aria-live="polite">
                {accounts ? picked && `${picked.name}, ${picked.email}` : 'The catalog’s keys are being read …'}
              </p>
            </div>
          )}
          {!picked && <OwnKey {...props} />}
          <Input
            form={bar}
            name="deployment"
            errorsOf="/deploymentId"
            class="narrow"
            label="Deployment"
            list="deployments"
            numeric
            hint={known?.name ?? (deployment.trim() === '' || !owned ? '\u00a0' : 'Not of this account')}
          />
        </>
      )}
    </form>
  )
}

/** A key that is typed, or made for a user who is picked by name. */
function OwnKey({ directory: { account, accounts = [] }, bar, typedKey, setTypedKey, settle }: KeyBarProps) {
  const [login, setLogin] = useState('')
  const [said, setSaid] = useState('')
  const someone = account?.users.find(({ isAdmin }) => isAdmin) ?? account?.users[0]
  useEffect(() => setLogin(someone?.email ?? ''), [account?.id])
  const user = account?.users.find(({ email }) => email.toLowerCase() === login.trim().toLowerCase())
  const make = async () => {
    const made = await ask<{ key: string }>('key', { account: account?.id ?? '', user: login }, 'POST').then(
      ({ key }) => {
        setTypedKey(key)
        settle()
        return `Made a key of ${user?.firstName ?? login}. It ends in a day.`
      },
      (error: Error) => error.message,
    )
    setSaid(made)
    announce(made)
  }
  return (
    <>
      {account && (
        <>
          <div class="field short">
            <label for="account">Account</label>
            <select
              id="account"
              value={account.id}
              onInput={(event) => bar.set({ account: event.currentTarget.value })}
            >
              {accounts.map(({ id, name }) => (
                <option value={id} key={id}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          <Field
            id="user"
            name=""
            label="User"
            class="short"
            hint={user && `${user.firstName ?? 'User'} ${user.isAdmin ? '(an admin)' : '(not an admin)'}`}
          >
            {(aria) => (
              <div class="joined">
                <input
                  {...aria}
                  list="internal-ids"
                  autocomplete="off"
                  spellcheck={false}
                  value={login}
                  onInput={(event) => setLogin(event.currentTarget.value)}
                />
                <button type="button" onClick={make}>
                  Make a key
                </button>
              </div>
            )}
          </Field>
        </>
      )}
      <Field
        id="own-key"
        name=""
        label="Key or token of your own"
        hint={
          <>
            {said || 'Sent as Authorization: Bearer …, and kept nowhere.'}
            {user && (
              <>
                {' '}
                In a shell:{' '}
                <code id="make-key">{`npm run keys -- create --url ${location.origin} --account ${account?.id} --user ${user.id}`}</code>
              </>
            )}
          </>
        }
      >
        {(aria) => (
          <input
            {...aria}
            autocomplete="off"
            spellcheck={false}
            value={typedKey}
            onInput={(event) => setTypedKey(event.currentTarget.value)}
          />
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
