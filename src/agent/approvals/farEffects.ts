import { ADDRESS, fromSubcommand, programName, remotesOf } from './programs';

/**
 * What a program does beyond the folder although its words name no path outside: it sends files to other
 * machines, changes something there, or acts on all of this one.
 */

/** Programs that act on other machines with the user's rights, and their subcommands that only work here. */
const SERVICES = new RegExp(
  `^(${[
    'aws|gcloud|gsutil|az|doctl|oci|ibmcloud|linode-cli|hcloud|scw|rclone|s3cmd|s4cmd|s5cmd|b2|mc|heroku|fly|flyctl|vercel|now|netlify|firebase|wrangler|surge|railway|render|supabase|eb|cf|cap|dokku',
    'terraform|tofu|terragrunt|pulumi|ansible(-(?!lint)\\w+)?|salt(-\\w+)?|knife|serverless|sls|cdk|cdktf|sam|copilot-cli|helm|helmfile|k9s|flux|argocd|istioctl|skaffold|nomad|consul',
    'twine|semantic-release|release-it|np|goreleaser|vsce|ovsx|ssh-copy-id|mosh|lftp|ncftp(put)?|sendmail|msmtp|swaks|exim4?|curlftpfs|sshfs|unison|restic|borg|duplicity|croc|wormhole|magic-wormhole|syncthing',
    'ngrok|cloudflared|localtunnel|lt|bore|tailscale|zerotier-cli|wg|wg-quick|openvpn|lp|lpr|imapsync|mailsend|aspera|ascp|axel-upload|transfer',
    'tftp|smbclient|mount\\.cifs|mosquitto_pub|amqp-publish|nats|kafkacat|kcat|grpcurl|websocat|wscat|slack-cli|telegram-send|sentry-cli|eas|gh-pages|rcp|gist|pastebinit|termbin|influx|snmpset|ipmitool|virsh|vboxmanage',
  ].join('|')})$`,
);
const HERE =
  /^(build|dev|serve|start|fmt|format|validate|version|lint|template|synth|local|emulators(:.*)?|help|completion|package)$/;

/** Subcommands that publish, of programs that mostly do something else. */
const PUBLISHES: readonly (readonly [programs: RegExp, words: RegExp])[] = [
  [
    /^(npm|pnpm|yarn|bun|bower|lerna|jsr|npx|changeset)$/,
    /^(publish|unpublish|login|adduser|token|owner|access|dist-tag|deprecate|team|org|hook|profile|star|trust)$/,
  ],
  [/^cargo$/, /^(publish|yank|login|logout|owner)$/],
  [/^gem$/, /^(push|yank|owner|signin|signout)$/],
  [
    /^(poetry|uv|hatch|flit|pdm|rye|maturin|cabal|stack|luarocks|anaconda|conda)$/,
    /^(publish|upload)$/,
  ],
  [/^(mvnw?|mvnd)$/, /^(.*:)?(deploy|release:perform)(:.*)?$/],
  [/^gradlew?$/, /^(.*:)?(publish(?!\w*ToMavenLocal$)\w*|uploadArchives)$/],
  [
    /^(docker|podman|nerdctl|buildah|skopeo|crane|oras|docker-compose)$/,
    /^(push|publish|copy|login)$/,
  ],
  [/^(dotnet|nuget)$/, /^push$/],
  [/^pod$/, /^(trunk|push|add)$/],
  [/^(mix|rebar3)$/, /^hex(\.(?!outdated|info|search|audit|package).*)?$/],
  [/^(dart|flutter|deno)$/, /^(publish|deploy)$/],
  [/^(wasm-pack|sbt|quarto|elm|nimble)$/, /^publish\w*$/],
  [/^(dvc|ollama)$/, /^push$/],
  [/^(hf|huggingface-cli)$/, /^(upload.*|login|repo)$/],
  [/^fastlane$/, /^(deploy|release|deliver|supply|pilot|beta|match|produce)$/],
  [/^mkdocs$/, /^gh-deploy$/],
  [/^lein$/, /^deploy$/],
  [/^conan$/, /^upload$/],
];

/** Programs and subcommands that fetch a program and run it. */
const FETCHERS =
  /^(uvx|gem exec|pipx run|(yarn|pnpm) dlx|(npm|pnpm|yarn|bun) (create|init|innit))$/;
const NPX = /^(npx|pnpx|bunx|npm (exec|x)|bun x)$/;
const INSTALLERS =
  /^(pip[\d.]*|dotnet|nuget|uv|pipx|npm|pnpm|yarn|bun|poetry|pdm|composer|bundle|cargo|mix)$/;
/** A package from elsewhere than a registry: an address, or a repository. */
const FROM_ELSEWHERE = /:\/\/|^git\+|(^|@)(github|gitlab|bitbucket|gist|git@[\w.]+):/;
/** `owner/name` is a repository on GitHub for these, also behind another name: `a@owner/name`. */
const OF_GITHUB = /^((@[\w.-]+\/)?[\w.-]+@)?[\w.-]*\w[\w.-]*\/[\w.-]+(#.*)?$/;
const NODE_INSTALLERS = /^(npm|pnpm|yarn|bun)$/;
const INSTALLS = /^(i|in|ins|inst\w*|isnt\w*|add|a|up|update|upgrade|it|cit|clean-install\S*)$/;
/** Options of these installers whose value is a folder or a name of the project. */
const OF_PROJECT = /^(-w|--workspace|-C|--dir|--cwd|--prefix|--filter|-F|--scope)$/;
/** Options that name another registry, or pages with packages. */
const REGISTRY =
  /^(-[ifs]|--source|--(.*:)?registry|--((extra|default)-)?index(-url)?|--find-links)$/;
/** Registries that everyone uses. */
const KNOWN_REGISTRY =
  /^https:\/\/(pypi\.org|api\.nuget\.org|download\.pytorch\.org|registry\.npmjs\.org|registry\.yarnpkg\.com|npm\.jsr\.io)(\/|$)/;

/**
 * How a program fetches code that is not part of the project and runs it, as the end of a sentence. `isInstalled`:
 * whether the project has a program.
 */
export function fetchedCode(
  words: readonly string[],
  isInstalled: (name: string) => boolean,
): string | undefined {
  const [path = '', ...rest] = ofModule(words);
  const program = programName(path);
  const isOfNode = NODE_INSTALLERS.test(program);
  const operands = rest.filter(
    (word, at) => !word.startsWith('-') && !(isOfNode && OF_PROJECT.test(rest[at - 1] ?? '')),
  );
  const [first = '', second = '', third = ''] = operands;
  if (NPX.test(program) || NPX.test(`${program} ${first}`)) {
    const name = program.endsWith('x') ? first : second;
    const own = rest.slice(0, rest.indexOf(name));
    const isFetched = own.some((word) => /^(-p|--package)/.test(word)) || !isInstalled(name);
    const isOffline = own.some((word) => /^--(no|no-install|offline)$/.test(word));
    return isFetched && !isOffline && name !== ''
      ? `fetches ${name}, which the folder does not have, and runs it`
      : undefined;
  }
  const isFetcher = FETCHERS.test(program) || FETCHERS.test(`${program} ${first}`);
  const fetched = FETCHERS.test(program) ? first : second;
  if (isFetcher && fetched !== '') return `fetches ${fetched} and runs it`;
  if (program === 'uv' && first === 'tool' && second === 'run')
    return `fetches ${third} and runs it`;
  if (program === 'go' && first === 'run' && second.includes('@'))
    return `fetches ${second} and runs it`;
  // What follows is given to a program of the project; an option before it may have a value.
  if (/^(run|run-script|exec|test|t|start|bench)$/.test(rest[0] ?? '')) return undefined;
  if (!INSTALLERS.test(program)) return undefined;
  const registry = registryIn(rest);
  if (registry !== undefined)
    return `uses packages of ${registry}, which is not the usual registry of ${program}`;
  const isInstall = subcommandsIn(rest).some((one) => INSTALLS.test(one));
  // Any other word is a script of the project, or the name of an installed program.
  if (isOfNode && !isInstall) return undefined;
  const source = rest.find(
    (word, at) =>
      !word.startsWith('-') &&
      !REGISTRY.test(rest[at - 1] ?? '') &&
      (FROM_ELSEWHERE.test(word) ||
        (isOfNode && OF_GITHUB.test(word) && !OF_PROJECT.test(rest[at - 1] ?? ''))),
  );
  return source === undefined ? undefined : `installs ${source}, which comes from no registry`;
}

/** Another registry that an installer is told to use. */
function registryIn(rest: readonly string[]): string | undefined {
  const given = rest.flatMap((word, at) => {
    const [name = ''] = word.split('=', 1);
    if (!REGISTRY.test(name)) return /^-[ifs](\w+:\/\/.*)$/.exec(word)?.[1] ?? [];
    return name === word ? (rest[at + 1] ?? []) : word.slice(name.length + 1);
  });
  return given.find(
    (place) => place.includes('://') && !KNOWN_REGISTRY.test(place) && !THIS_MACHINE.test(place),
  );
}

/** `python3 -m twine` is twine. */
function ofModule(words: readonly string[]): readonly string[] {
  const isModule = /^(python|pypy)[\d.]*$/.test(programName(words[0] ?? '')) && words[1] === '-m';
  return isModule ? words.slice(2) : words;
}

/** Words before a subcommand. */
const BEFORE_SUBCOMMAND = /^(npm|nuget|pub|trunk|repo|image|compose|manifest|buildx|plugin|\+.*)$/;

/** The words that may be the subcommand: the first one, and the next one if that may be an option's value. */
function subcommandsIn(rest: readonly string[]): readonly string[] {
  const at = rest.findIndex((word) => !word.startsWith('-'));
  const operands = rest.filter((word) => !word.startsWith('-'));
  const [first = ''] = operands;
  if (first === 'workspace') return operands.slice(2, 4);
  const mayBeValue = at > 0 && rest[at - 1]?.includes('=') !== true;
  return operands.slice(0, mayBeValue || BEFORE_SUBCOMMAND.test(first) ? 2 : 1);
}

/** What the programs of code hosts only read. */
const HOST_READS = /^(view|list|ls|status|diff|checks|checkout|clone|download|watch|develop)$/;
const OF_REPOSITORY = /^(-R|--repo)/;
const HOST_GROUPS =
  /^(pr|mr|issue|run|repo|release|workflow|gist|label|project|ruleset|cache|ci|org)$/;

/** Programs that stop others, or change this machine for all. */
const MACHINE =
  /^(shutdown|reboot|halt|poweroff|init|telinit|killall5?|pkill|skill|mkfs(\..*)?|mkswap|umount|swapoff|insmod|modprobe|rmmod|useradd|userdel|usermod|groupadd|passwd|chpasswd|visudo|ldconfig|fdisk|sfdisk|parted|wipefs|losetup|cryptsetup|iptables|nft|ufw|wall|write|xdotool|rfkill)$/;
const ASKS_SERVICES =
  /^(status|show|cat|list-.*|is-.*|get-default|help|--version|--help|--status-all)$/;

/** Programs that copy databases, which may be on another machine. */
const DATABASES =
  /^(mysqldump|mysqlpump|mariadb-dump|mysqlimport|mysqlshow|mysqlcheck|mydumper|myloader|pg_(dump|dumpall|restore|basebackup|isready)|createdb|vacuumdb|reindexdb|pgbench|mongo(dump|restore|export|import|stat|top|files)|influxd?|cqlsh|clickhouse(-client)?|bcp|sqlcmd|expdp|impdp|dynamodump|redis-(benchmark|dump))$/;
/** Programs that delete or administer databases. */
const ADMINISTERS = /^(dropdb|dropuser|createuser|mysqladmin|mariadb-admin|pg_ctl|rabbitmqctl)$/;

/** The machine with the database that a program is told to use, if it is another one. */
function databaseElsewhere(rest: readonly string[]): string | undefined {
  const given = rest.flatMap((word, at) => {
    const option = /^(?:-[hSH]|--(?:host|uri|server|dbname|url))(?:=?)(.*)$/.exec(word);
    if (option !== null) return option[1] || (rest[at + 1] ?? []);
    return /:\/\//.test(word) ? word : (/(?:^|\s)host(?:addr)?\s*=\s*(\S+)/.exec(word)?.[1] ?? []);
  });
  return given.find((place) => !place.startsWith('/') && !THIS_MACHINE.test(place));
}

/** What a program does beyond the folder, as the end of a sentence "It ..."; undefined when its words show nothing. */
export function farEffect(words: readonly string[]): string | undefined {
  const [program = '', ...rest] = fromSubcommand(ofModule(words));
  const operands = rest.filter((word) => !word.startsWith('-'));
  const [first = '', second = ''] = operands;
  const acts = `runs ${programName(words[0] ?? '')} ${first}`.trimEnd();
  if (
    MACHINE.test(program) ||
    (program === 'mount' && operands.length > 0) ||
    (program === 'fuser' && rest.some((word) => /^-\w*k|^--k/.test(word))) ||
    (program === 'loginctl' && /^(terminate|kill|lock|unlock|activate)/.test(first))
  )
    return `${acts}, which acts on the whole machine`;
  if (
    /^(systemctl|service|launchctl)$/.test(program) &&
    !rest.some((one) => ASKS_SERVICES.test(one))
  )
    return `${acts}, which acts on the whole machine`;
  if (
    (program === 'sysctl' && rest.some((word) => /^-\w*[wp]|=/.test(word))) ||
    (program === 'ip' &&
      operands.some((word) => /^(set|add|del|delete|flush|change|replace)$/.test(word))) ||
    setsClock(program, rest)
  )
    return `${acts}, which acts on the whole machine`;
  if (/^(hg|fossil|darcs|bzr)$/.test(program) && first === 'push' && /[:/@]/.test(second))
    return `sends commits to ${second}, which is not the name of a remote`;
  if (program === 'kill' && rest.slice(1).some((word) => /^-\d+$/.test(word)))
    return 'stops programs that it does not name';
  const asksHelp = rest.length === 1 && /^(--help|--version|-h|-v)$/.test(rest[0] ?? '');
  const listsSettings = /^config(ure)?$/.test(first) && second.startsWith('list');
  if (SERVICES.test(program) && !HERE.test(rest[0] ?? '') && !listsSettings && !asksHelp)
    return `${acts}, which acts on other machines`;
  if (ADMINISTERS.test(program) && !asksHelp)
    return `${acts}, which administers databases of this machine or another`;
  const database = DATABASES.test(program) ? databaseElsewhere(rest) : undefined;
  if (database !== undefined) return `uses the database of ${database} with ${program}`;
  if (publishes(program, rest)) return `${acts}, which publishes or acts for your account`;
  if (/^(gh|glab|hub|tea)$/.test(program) && !readsHost(rest))
    return `${acts}, which may change something on other machines`;
  if (/^(scp|rsync|pscp|psftp)$/.test(program)) return sendsCopies(program, rest);
  if (program === 'logger' && rest.some((word) => /^(-n|--s(erver)?(=|$))/.test(word)))
    return `${acts}, which sends lines to another machine`;
  if (program === 'dig' && rest.some((word) => word.startsWith('-f')))
    return `${acts}, which sends the lines of a file to another machine`;
  if (/^(lwp-request|POST|PUT|DELETE)$/.test(words[0] ?? ''))
    return `${acts}, which sends data to another machine`;
  if (/^([gb]s?d?)?tar$|^cpio$/.test(program)) return archivesElsewhere(program, rest);
  if (program === 'git') return sendsCommits(words, first, rest);
  if (/^(svn|cvs)$/.test(program) && /^(commit|ci|import)$/.test(first))
    return `${acts}, which sends files to another machine`;
  if (program === 'openssl' && first === 's_client') return `${acts}, which acts on other machines`;
  if (/^(curl|wget2?|https?|xhs?|httpie|curlie)$/.test(program) && sendsRequest(program, rest))
    return `sends data to another machine with ${program}`;
  return undefined;
}

/** Also `date 01011200`; the value of an option is no time. */
function setsClock(program: string, rest: readonly string[]): boolean {
  if (/^(hwclock|timedatectl|ntpdate|rdate|chronyc)$/.test(program))
    return !rest.every((word) =>
      /^(-r|--show|--get|status|show.*|list-.*|--help|--version)$/.test(word),
    );
  return (
    program === 'date' &&
    rest.some(
      (word, at) =>
        /^(-[uR]*s|--s)/.test(word) ||
        (/^\d{4,}(\.\d\d)?$/.test(word) && !/^-(\w*[drf]|-\w+)$/.test(rest[at - 1] ?? '')),
    )
  );
}

function publishes(program: string, rest: readonly string[]): boolean {
  const [, verbs] = PUBLISHES.find(([names]) => names.test(program)) ?? [];
  if (verbs === undefined) return false;
  if (BUILDS_IMAGES.test(program) && rest.some((word) => PUSHES_IMAGE.test(word))) return true;
  // These two run tasks of any number.
  if (/^(mvn|gradle)/.test(program)) return rest.some((word) => verbs.test(word));
  const given = subcommandsIn(rest);
  // Scripts of the project have any name.
  if (/^(run(-script)?|rum|urn|exec|x|test|explore)$/.test(given[0] ?? '')) return false;
  return given.some((one) => verbs.test(one));
}

const BUILDS_IMAGES = /^(docker|podman|nerdctl|buildah|docker-compose)$/;
const PUSHES_IMAGE = /^--push(=true)?$|^(-o|--output=)?(.*,)?(type=registry|push=true)\b/;

function readsHost(given: readonly string[]): boolean {
  const rest = given.filter(
    (word, at) => !OF_REPOSITORY.test(word) && !/^(-R|--repo)$/.test(given[at - 1] ?? ''),
  );
  const [first = '', second = ''] = rest.filter((word) => !word.startsWith('-'));
  if (
    rest.length === 0 ||
    /^(--version|--help|help|version|search|status|auth)$/.test(rest[0] ?? '')
  )
    return true;
  if (first === 'api')
    return !rest.some((word) => /^(-[XfF]|--(method|field|raw-field|input))/.test(word));
  return HOST_GROUPS.test(first) && HOST_READS.test(second);
}

/** `host:path` or `rsync://host/path`. */
const ON_HOST = /^([^/:\s]+:|[^/\s]+::|(rsync|s?ftp|scp|ssh):\/\/)/i;

function sendsCopies(program: string, rest: readonly string[]): string | undefined {
  const place = rest.find((word) => !word.startsWith('-') && ON_HOST.test(word));
  return place === undefined ? undefined : `copies files to or from ${place} with ${program}`;
}

/** An archive with a colon in its name is on another machine. */
function archivesElsewhere(program: string, rest: readonly string[]): string | undefined {
  if (rest.includes('--force-local')) return undefined;
  const place = rest
    .map((word) => /^(?:-[a-zA-Z]*[fF]|--file=)(.+)$/.exec(word)?.[1] ?? word)
    .find((word) => !word.startsWith('-') && /^[^/:\s]+:/.test(word));
  return place === undefined
    ? undefined
    : `uses the archive ${place} of another machine with ${program}`;
}

/** Commits go to the remotes of the repository only: not to an address or a path. */
function sendsCommits(
  words: readonly string[],
  subcommand: string,
  rest: readonly string[],
): string | undefined {
  if (/^(send-pack|http-push|imap-send)$/.test(subcommand))
    return `runs git ${subcommand}, which sends files to another machine`;
  const elsewhere = rest.find((word) => word.startsWith('--rem'));
  if (subcommand === 'archive' && elsewhere !== undefined)
    return `gets an archive from ${elsewhere.split('=')[1] ?? 'another machine'}`;
  const remote = subcommand === 'push' ? remotesOf(words) : undefined;
  const given = remote?.find((name) => ADDRESS.test(name) || /[/\\:]|^\.+$/.test(name));
  return given === undefined
    ? undefined
    : `sends commits to ${given}, which is not the name of a remote`;
}

/** Short options of curl whose value is the rest of the word, or the next one. */
const CURL_VALUED = /^[AbcCDeEhHKmoPQrtuUwxXyYz]$/;
/** Options whose value is the next word, and no URL. */
const WITH_VALUE =
  /^(-\w*[oHdFAubcDwmTXeQr]|-O|--(output|header|data.*|form.*|user|user-agent|cookie.*|max-time|request|json|write-out|output-document|post-.*|body-.*|method|connect-timeout|retry|referer|dump-header|url-query))$/;
const THIS_MACHINE =
  /^(\w+:\/\/)?([^/@]*@)?(localhost|127(\.\d+){3}|\[::1\]|0\.0\.0\.0|[\w-]+\.localhost|:\d+)(:\d+)?([/?#].*)?$/i;
const URL_LIKE = /^\w+:\/\/|^[\w-]+(\.[\w-]+)+(:\d+)?([/?#].*)?$|^[\w.-]+:\d+([/?#].*)?$/;

/** Whether a request has a body, or changes something, and may go to another machine. */
function sendsRequest(program: string, rest: readonly string[]): boolean {
  const isCurl = program.startsWith('curl');
  const hasBody = isCurl
    ? rest.some((word, at) => isBodyOfCurl(word, rest[at + 1] ?? ''))
    : program.startsWith('wget')
      ? rest.some((word) => SENDS_OF_WGET.test(word))
      : rest.some(
          (word) => /^(POST|PUT|PATCH|DELETE)$/i.test(word) || /^[^-][^/]*?(:?=|@)/.test(word),
        );
  if (!hasBody) return false;
  if (
    rest.some((word) =>
      /^(-\w*[xK]$|--(pro|pre|socks|resolve|connect-to|doh|input-file|config|next))/.test(word),
    )
  )
    return true;
  const places = rest.filter(
    (word, at) =>
      !word.startsWith('-') &&
      !WITH_VALUE.test(rest[at - 1] ?? '') &&
      (THIS_MACHINE.test(word) || URL_LIKE.test(word)),
  );
  const named = rest.flatMap((word) => /^--url=(.*)$/.exec(word)?.[1] ?? []);
  const all = [...places, ...named];
  return all.length === 0 || !all.every((place) => THIS_MACHINE.test(place));
}

/** They send a body or the cookies in a file, or, with a base, each line of a file as a path. */
const SENDS_OF_WGET = /^(--(po|bo|me|loa|bas)|-[^aADeGIloOPQRtTUwX-]*B)/;

function isBodyOfCurl(word: string, next: string): boolean {
  if (/^(-H|--header=?)@/.test(word) || (/^(-H|--header)$/.test(word) && next.startsWith('@')))
    return true;
  // The user's passwords.
  if (/^(-n|--netrc)/.test(word)) return true;
  // Cookies without an equals sign are those of a file.
  const cookies = /^--cookie(?:=|$)(.*)$/s.exec(word)?.[1];
  if (cookies !== undefined && !(cookies || next).includes('=')) return true;
  if (/^--(da|up|fo|js|url-q|va|exp)/.test(word)) return true;
  if (word.startsWith('--req')) return !/^(GET|HEAD|OPTIONS)$/i.test(word.split('=')[1] ?? next);
  if (!/^-[^-]/.test(word)) return false;
  for (const [at, letter] of Array.from(word.slice(1)).entries()) {
    if (/[TFd]/.test(letter)) return true;
    if (letter === 'X') return !/^(GET|HEAD|OPTIONS)$/i.test(word.slice(at + 2) || next);
    if (letter === 'b') return !(word.slice(at + 2) || next).includes('=');
    if (CURL_VALUED.test(letter)) return false;
  }
  return false;
}
