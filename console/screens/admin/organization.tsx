import { useParams } from '@tanstack/react-router'
import type { OrganizationDetail } from '../../../clients/typescript/src/entry.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { DialogButton } from '../../parts/dialog.tsx'
import { Edit } from '../../parts/edit.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Input, Select } from '../../parts/fields.tsx'
import { useField, Within } from '../../parts/form.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Screen } from '../../parts/screen.tsx'
import { word } from '../../parts/times.ts'
import { Unread } from '../../parts/unread.tsx'
import { service } from '../../service/service.ts'
import { useAct } from '../../service/useAct.ts'
import { notify } from '../../state/notices.ts'
import { texts } from '../../texts.ts'
import { readAllAgain, useAdminRead } from './useAdminRead.ts'
import { bodyOf, type LimitName, type PlanValues, planOptions, valuesOf } from './values.ts'

/** Its tag is not of the organization alone, so the last change wins. */
const readOrganization = async (id: string) => ({ data: await service.organizations.get(id), etag: null })

export function Organization() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useAdminRead(['one', 'organization', id], () => readOrganization(id))
  if (!data) return <Unread error={error} again={refetch} />
  const { org, limits } = data.data
  return (
    <Screen heading={org.name}>
      <Facts>
        <Fact name={texts.email}>{org.email}</Fact>
        <Fact name={texts.admin.proven}>{org.email_verified ? texts.yes : texts.no}</Fact>
        <Fact name={texts.admin.onWaitlist}>{org.is_waitlisted ? texts.yes : texts.no}</Fact>
        <Fact name={texts.id}>
          <code>{org.id}</code>
        </Fact>
        <Fact name={texts.createdAt}>
          <Moment at={org.created_at} />
        </Fact>
      </Facts>
      <div className="card part">
        <Edit<OrganizationDetail, PlanValues>
          name={`organization:${id}`}
          label={texts.admin.planForm}
          record={data}
          valuesOf={valuesOf}
          labels={{ plan: texts.plan, rate: texts.admin.requestsPerSecond, limits: texts.admin.limits }}
          update={(values, { idempotencyKey }, _, over) =>
            service.organizations.update(id, bodyOf(values, over), { idempotencyKey })
          }
          readAgain={() => readOrganization(id)}
          done={async () => {
            await readAllAgain()
            notify(texts.saved(texts.plan))
          }}
          actions={
            org.is_waitlisted && (
              <DialogButton label={texts.admin.activate} className="quiet" alert>
                {(close) => <Activate id={id} close={close} />}
              </DialogButton>
            )
          }
        >
          <Select name="plan" label={texts.plan} options={planOptions(org.plan)} />
          <Input
            name="rate"
            param="rate_limit_per_second"
            label={texts.admin.requestsPerSecond}
            hint={texts.admin.rateHint}
            type="number"
            min={1}
          />
          <Limits names={Object.keys(limits) as LimitName[]} />
        </Edit>
      </div>
    </Screen>
  )
}

/** Names as in the usage of an organization, where `webhooks` stands for something else. */
const limitNames: Partial<Record<string, string>> = { ...texts.limits, webhooks: texts.limits.webhook_endpoints }
const nameOf = (limit: LimitName): string => limitNames[limit] ?? word(limit)

function Limits({ names }: { names: readonly LimitName[] }) {
  const { value: plan } = useField<string>('plan')
  if (plan !== 'custom') return null
  return (
    <fieldset className="stack">
      <legend>{texts.admin.limits}</legend>
      <p className="hint">{texts.admin.limitsHint}</p>
      <Within name="limits">
        <div className="row">
          {names.map((name) => (
            <Input key={name} name={name} param={`limits.${name}`} label={nameOf(name)} type="number" min={0} />
          ))}
        </div>
      </Within>
    </fieldset>
  )
}

function Activate({ id, close }: { id: string; close: () => void }) {
  const act = useAct<void, unknown>(
    (_, sent) => service.organizations.activate(id, sent),
    async () => {
      await readAllAgain()
      notify(texts.admin.activated)
    },
  )
  return (
    <Confirm label={texts.admin.activate} act={act} close={close}>
      <p>{texts.admin.activateHint}</p>
    </Confirm>
  )
}
