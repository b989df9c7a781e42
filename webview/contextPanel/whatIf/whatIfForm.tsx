import type { VNode } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import type { BudgetMarks, WhatIfSettings } from '../../../src/editor/contextPanel/whatIf/state';
import { NumberField } from '../parts/numberField';
import {
  policiesFor,
  type TriedPolicy,
  fieldValue,
  isWatermarkName,
  settingWords,
  standingOf,
  countsFor,
  whatIfFields,
  withField,
  withMark,
} from './whatIfFields';
import { WatermarkField } from './watermarkField';

export interface WhatIfFormProps {
  readonly context: ContextView;
  readonly settings: WhatIfSettings;
  /** Of the scratch copy's settings; absent where they are invalid. */
  readonly marks: BudgetMarks | undefined;
  readonly onChange: (settings: WhatIfSettings) => void;
}

/** Asks for the settings of the scratch copy. */
export function WhatIfForm({ context, settings, marks, onChange }: WhatIfFormProps): VNode {
  const { settings: inForce, balance, source } = context;
  const known = useRef<BudgetMarks>(balance);
  known.current = marks ?? known.current;
  return (
    <div class="tries">
      <PolicyField
        policies={policiesFor(source)}
        settings={settings}
        inForce={inForce}
        onChange={onChange}
      />
      {(settings.policy === 'ladder' || settings.excerpts !== inForce.excerpts) && (
        <ViewsField settings={settings} inForce={inForce} onChange={onChange} />
      )}
      {whatIfFields(balance).map((field) => {
        const { name, unit } = field;
        // What was changed under another policy stays in sight: it would be stored.
        if (!countsFor(name, settings) && settings[name] === inForce[name]) return null;
        if (isWatermarkName(name)) {
          return (
            <WatermarkField
              key={name}
              field={field}
              mark={settings[name]}
              inForce={inForce[name]}
              inForceTokens={standingOf(name, balance)}
              standing={standingOf(name, known.current)}
              inputBudget={known.current.inputBudget}
              isValid={marks !== undefined}
              onMark={(mark) => onChange(withMark(settings, name, mark, known.current))}
            />
          );
        }
        const isSame = settings[name] === inForce[name];
        return (
          <NumberField
            key={name}
            field={field}
            value={fieldValue(settings, name)}
            resting={balance.contextWindowTokens}
            whenEmpty={name === 'windowTokens' ? "model's" : undefined}
            means=""
            inForce={isSame ? undefined : settingWords(inForce, name, unit)}
            onValue={(value) => onChange(withField(settings, name, value))}
          />
        );
      })}
    </div>
  );
}

interface PolicyFieldProps {
  readonly policies: readonly TriedPolicy[];
  readonly settings: WhatIfSettings;
  readonly inForce: WhatIfSettings;
  readonly onChange: (settings: WhatIfSettings) => void;
}

/** Asks whether passes show the files in work. */
function ViewsField({ settings, inForce, onChange }: Omit<PolicyFieldProps, 'policies'>): VNode {
  const id = useId();
  const isChanged = settings.excerpts !== inForce.excerpts;
  return (
    <div class={isChanged ? 'try changed' : 'try'} data-testid="try-excerpts">
      <label for={id}>Show the files in work</label>
      <input
        id={id}
        type="checkbox"
        checked={settings.excerpts}
        onChange={(event) => onChange({ ...settings, excerpts: event.currentTarget.checked })}
        data-testid="excerpts"
      />
      <span class="quiet small">
        a pass shows the likeliest lines of them
        {isChanged && (
          <span class="was"> · changed, in force: {inForce.excerpts ? 'yes' : 'no'}</span>
        )}
      </span>
    </div>
  );
}

function PolicyField({ policies, settings, inForce, onChange }: PolicyFieldProps): VNode {
  const id = useId();
  const isChanged = settings.policy !== inForce.policy;
  return (
    <div class={isChanged ? 'try changed' : 'try'} data-testid="try-policy">
      <label for={id}>Policy</label>
      <select
        id={id}
        value={settings.policy}
        onChange={(event) => {
          const chosen = policies.find(({ name }) => name === event.currentTarget.value);
          if (chosen !== undefined) onChange({ ...settings, policy: chosen.name });
        }}
        data-testid="policy"
      >
        {policies.map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </select>
      <span class="quiet small">
        what decides which blocks leave
        {isChanged && <span class="was"> · changed, in force: {inForce.policy}</span>}
      </span>
    </div>
  );
}
