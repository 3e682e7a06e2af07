import type { Organization } from '../../../clients/typescript/src/entry.ts'
import { A } from '../../parts/a.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { Filter, Input, Select } from '../../parts/fields.tsx'
import { Form } from '../../parts/form.tsx'
import { Moment } from '../../parts/moment.tsx'
import { wordOptions } from '../../parts/options.ts'
import { Pages, pageSize } from '../../parts/pages.tsx'
import { Refused } from '../../parts/refused.tsx'
import { Screen } from '../../parts/screen.tsx'
import { showSecret } from '../../parts/secret.tsx'
import { Table } from '../../parts/table.tsx'
import { TextFilter } from '../../parts/textFilter.tsx'
import { word } from '../../parts/times.ts'
import { useFilters } from '../../parts/useFilters.ts'
import { useForm } from '../../parts/useForm.ts'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'
import { readAllAgain, useAdminRead } from './useAdminRead.ts'
import { planOptions } from './values.ts'

const plans = wordOptions(['free', 'pro', 'custom', 'free-agent', 'free-agent-unverified'])

type Chosen = { query?: string; plan?: Organization['plan']; is_waitlisted?: string }

export function Organizations() {
  const filters = useFilters()
  const { query = '', plan, is_waitlisted } = filters.values as Chosen
  const { offset } = filters
  const asked = {
    ...(query && { query }),
    ...(plan && { plan }),
    ...(is_waitlisted === 'true' && { is_waitlisted: true }),
  }
  const { data, error, refetch } = useAdminRead(['list', 'organization', { ...asked, offset }], (options) =>
    service.organizations.list({ ...options, ...asked, offset, limit: pageSize }),
  )
  return (
    <Screen
      heading={texts.admin.organizations}
      actions={
        <DialogButton label={texts.admin.newOrganization}>{(close) => <NewOrganization close={close} />}</DialogButton>
      }
    >
      <div className="filters">
        <TextFilter
          type="search"
          label={texts.admin.searchOrganizations}
          value={query}
          choose={(query) => filters.set({ query })}
        />
        <Filter label={texts.plan} value={plan} options={plans} orAll choose={(plan) => filters.set({ plan })} />
        <label className="check">
          <input
            type="checkbox"
            checked={is_waitlisted === 'true'}
            onChange={(event) => filters.set({ is_waitlisted: event.target.checked ? 'true' : undefined })}
          />
          {texts.admin.onWaitlist}
        </label>
      </div>
      {error && <Refused error={error} again={refetch} />}
      {data && (
        <>
          <Table
            label={texts.admin.organizations}
            rows={data.data}
            idOf={({ id }) => id}
            columns={[
              { head: texts.name, cell: ({ id, name }) => <A to={`/admin/organizations/${id}`}>{name}</A> },
              { head: texts.email, cell: ({ email }) => email },
              { head: texts.plan, cell: ({ plan }) => word(plan) },
              {
                head: texts.admin.onWaitlist,
                cell: (one) => (one.is_waitlisted ? texts.yes : ''),
                isMinor: true,
              },
              { head: texts.createdAt, cell: ({ created_at }) => <Moment at={created_at} />, isMinor: true },
            ]}
            empty={
              <p>{Object.keys(asked).length > 0 || offset ? texts.noMatch : texts.none(texts.admin.organizations)}</p>
            }
          />
          <Pages page={data} filters={filters} />
        </>
      )}
    </Screen>
  )
}

function NewOrganization({ close }: { close: () => void }) {
  const form = useForm<{ name: string; email: string; plan: 'free' | 'pro' | 'custom' }>('new-organization', {
    ...{ name: '', email: '', plan: 'free' },
  })
  const act = useAct(
    (body: typeof form.values, sent) => service.organizations.create(body, sent),
    async ({ api_key }) => {
      form.forget()
      await readAllAgain()
      notify(texts.created(texts.admin.organization))
      close()
      showSecret(api_key)
    },
  )
  return (
    <Form form={form} submit={texts.admin.createOrganization} act={act} cancel={close}>
      <Input name="name" label={texts.name} autoFocus />
      <Input name="email" label={texts.email} type="email" />
      <Select name="plan" label={texts.plan} options={planOptions()} />
    </Form>
  )
}
