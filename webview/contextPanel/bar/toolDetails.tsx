import type { VNode } from 'preact';
import { countText, ESTIMATE_MARK } from '../../../src/editor/coreForPages';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import type { ToolCostsView, ToolCostView } from '../../../src/editor/contextPanel/tools/state';
import { callIcon, Icon } from '../../kit/icon';
import { formatTokens } from '../../kit/tokens';
import { VisibleText } from '../../kit/untrustedText';
import { LinkButton } from '../parts/linkButton';
import type { SendWish } from '../store/panelStore';

interface ToolDetailsProps {
  readonly context: Pick<ContextView, 'tools' | 'whyReadOnly'>;
  readonly wish: SendWish;
}

/** Lists the tools by the tokens their definitions take in every request. */
export function ToolDetails({ context: { tools, whyReadOnly }, wish }: ToolDetailsProps): VNode {
  const { rows, total, price } = tools;
  const heaviest = [...rows].sort((a, b) => b.tokens - a.tokens);
  return (
    <div class="tools">
      {rows.length === 0 ? (
        <p class="empty quiet">The window holds no definition of a tool yet.</p>
      ) : (
        <>
          <p class="quiet small" data-testid="tools-total">
            {`${countText(rows.length, 'tool')}, ${formatTokens(total)} tokens in every request${pricesOf(total.tokens, price)}.`}
          </p>
          <ul class="file-list">
            {heaviest.map((tool) => (
              <ToolRow key={tool.name} tool={tool} price={price} />
            ))}
          </ul>
        </>
      )}
      {whyReadOnly === undefined && (
        <p>
          <LinkButton
            hint="Shows the tools of Plimsoll, of other extensions and of MCP servers"
            onClick={() => wish({ type: 'chooseTools' })}
            data-testid="choose-tools"
          >
            Choose tools…
          </LinkButton>
        </p>
      )}
    </div>
  );
}

function ToolRow({
  tool: { name, description, kind, tokens, provider, holds },
  price,
}: {
  readonly tool: ToolCostView;
  readonly price: ToolCostsView['price'];
}): VNode {
  return (
    <li data-testid="tool-cost" data-tool={name}>
      <p class="file-head">
        <span class="ellipsis" title={description}>
          <Icon name={callIcon(kind)} /> {name}
          {provider !== undefined && (
            <span class="quiet">
              {' · '}
              <VisibleText text={provider} />
            </span>
          )}
        </span>
        <span class="number">{formatTokens({ tokens, exact: false })}</span>
      </p>
      {holds !== undefined && (
        <p class="quiet small" data-testid="tool-holds">
          Calls <VisibleText text={holds.join(', ')} />
        </p>
      )}
      {price !== undefined && (
        <p class="quiet small">{pricesOf(tokens, price).replace(/^, /, '')}</p>
      )}
    </li>
  );
}

/** ", ≈ $0.00012 from the prompt cache, ≈ $0.0030 uncached"; '' if no price is known. */
function pricesOf(tokens: number, price: ToolCostsView['price']): string {
  if (price === undefined) return '';
  return `, ${dollars(tokens * price.fromCache)} from the prompt cache, ${dollars(tokens * price.anew)} uncached`;
}

/** Writes tiny amounts in dollars with two significant digits. */
function dollars(millionths: number): string {
  const amount = millionths / 1_000_000;
  const digits = amount <= 0 ? 2 : Math.max(3, Math.ceil(-Math.log10(amount)) + 1);
  return `${ESTIMATE_MARK}\u00a0$${amount.toFixed(Math.min(digits, 8))}`;
}
