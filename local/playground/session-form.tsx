import { AttributeRows } from './attribute-rows.tsx'
import { Check, Colour, type Form, Input, Lines, Select } from './fields.tsx'
import { PersonPicker } from './person.tsx'
import { switches } from './session-body.ts'
import type { Directory } from './use-directory.ts'

/** A setting that is on, off, or left alone, which is not the same as off. */
const settingOptions = [
  ['', 'as it is'],
  ['true', 'on'],
  ['false', 'off'],
] as const

/** All that a session can be asked for. What has no field of its own goes into the last one, as JSON. */
export function SessionFields({ form, directory }: { form: Form; directory: Directory }) {
  const tenant = directory.things.embedTenants.find(({ name }) => name === form.values.embedTenantName)
  return (
    <>
      <h3>The end user</h3>
      <PersonPicker form={form} directory={directory} />
      <div class="pair">
        <Input form={form} name="embedTenantName" id="embed-tenant" label="Embed tenant" list="embed-tenants" />
        <Input form={form} name="email" label="E-mail" />
        <Input form={form} name="externalId" label="External id" list="external-ids" />
        <Input form={form} name="internalId" label="Internal id" list="internal-ids" />
      </div>
      <details>
        <summary>Profile</summary>
        <div class="pair">
          <Input form={form} name="userProfile/displayName" label="Name of the user" />
          <Input form={form} name="userProfile/picture" label="Picture" />
          <Input form={form} name="embedTenantProfile/displayName" label="Name of the embed tenant" />
        </div>
      </details>

      <h3>Groups and roles</h3>
      <Lines
        form={form}
        name="groups"
        label="Global groups"
        hint="One name per line. Each must exist in the account."
        offered={directory.owned?.groups ?? []}
        offeredAs="Global groups of the account"
      />
      <Check
        form={form}
        name="creatorMode"
        label="Creator mode"
        hint="Tenant groups need creator mode and an embed tenant."
      />
      <Lines
        form={form}
        name="tenantGroups"
        label="Tenant groups"
        hint="One name per line. Each must exist in the embed tenant, or be defined below."
        offered={tenant?.groups ?? []}
        offeredAs="Groups of the embed tenant"
      />
      <Input
        form={form}
        name="roles"
        label="Roles"
        rows={1}
        hint="One per line. They go into the token, and give nobody a role here."
      />

      <AttributeRows form={form} />
      <Input
        form={form}
        name="securityContext"
        label="Security context"
        rows={3}
        hint={
          <>
            A JSON object, such as <code>{'{"customerId": 42}'}</code>.
          </>
        }
      />
      <details>
        <summary>Theme</summary>
        <div class="pair">
          <Colour form={form} name="embedTheme/primaryColor" label="Primary colour" />
          <Input form={form} name="embedTheme/font" label="Font" />
          <Colour form={form} name="embedTheme/chat/inputColor" label="Chat input" />
          <Colour form={form} name="embedTheme/analyticsChat/backgroundColor" label="Analytics chat" />
          <Colour form={form} name="embedTheme/analyticsChat/chatInput/backgroundColor" label="Its input" />
          <Colour form={form} name="embedTheme/analyticsChat/chatInput/borderColor" label="Its input’s border" />
        </div>
      </details>
      <details>
        <summary>Settings</summary>
        <p class="hint">The token has only the settings that you change.</p>
        <div class="settings">
          {switches.map((name) => (
            <Select
              form={form}
              name={name}
              key={name}
              options={settingOptions}
              label={<code>{name.replace('settings/', '')}</code>}
            />
          ))}
        </div>
        <div class="pair">
          <Input form={form} name="settings/locale" id="locale" label="Locale" />
          <Input form={form} name="settings/timezone" id="timezone" label="Time zone" />
        </div>
      </details>
      <details id="more-details">
        <summary>Any other field</summary>
        <div class="pair">
          <Input form={form} name="publicDashboardId" label="Public dashboard id" list="dashboard-public-ids" />
          <Check form={form} name="isEphemeral" label="Ephemeral" />
        </div>
        <Input
          form={form}
          name="more"
          errorsOf=""
          label="More fields of the body"
          rows={4}
          hint={
            <>
              A JSON object. Its fields replace those above:{' '}
              <code>{'{"tenantGroupDefinitions": [{"name": "buyers"}]}'}</code>
            </>
          }
        />
      </details>
    </>
  )
}
