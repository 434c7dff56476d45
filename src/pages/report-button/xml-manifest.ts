// The add-in only manifest (XML) for Outlook. The outer overrides (1.0) have the task pane, for every Outlook with
// add-in commands. The inner overrides (1.1) also have the integrated button for spam reports, which needs Mailbox 1.14.
// An Outlook without that requirement set uses the outer overrides.
import type { Language } from '../../contract/languages.ts';
import { type AddIn, ICON_SIZES, ICONS, shorten } from './add-in.ts';
import { type ManifestMessages, manifestMessages } from './manifest-messages.ts';

const OTHERS = ['de', 'fr'] as const satisfies readonly Language[];
/** Office locales for which the add-in has texts, by language of the service. */
const LOCALES: Record<(typeof OTHERS)[number], readonly string[]> = {
  de: ['de-DE', 'de-AT', 'de-CH'],
  fr: ['fr-FR', 'fr-BE', 'fr-CA', 'fr-CH'],
};
const BUTTON_SIZES = ICON_SIZES.filter((size) => size <= 80);

export function renderXmlManifest(addIn: AddIn): string {
  const { id, version, companyName, origin, base } = addIn;
  return `<?xml version="1.0" encoding="UTF-8"?>
<OfficeApp xmlns="http://schemas.microsoft.com/office/appforoffice/1.1"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
  xmlns:bt="http://schemas.microsoft.com/office/officeappbasictypes/1.0"
  xsi:type="MailApp">
  <Id>${id}</Id>
  <Version>${version}.0</Version>
  <ProviderName>${escape(shorten(companyName, 100))}</ProviderName>
  <DefaultLocale>en-US</DefaultLocale>
  ${localized('DisplayName', ({ name }) => name)}
  ${localized('Description', ({ about }) => about)}
  <IconUrl DefaultValue="${iconUrl(addIn, 64)}"/>
  <HighResolutionIconUrl DefaultValue="${iconUrl(addIn, 128)}"/>
  <SupportUrl DefaultValue="${escape(origin)}/"/>
  <AppDomains><AppDomain>${escape(origin)}</AppDomain></AppDomains>
  <Hosts><Host Name="Mailbox"/></Hosts>
  <Requirements><Sets><Set Name="Mailbox" MinVersion="1.8"/></Sets></Requirements>
  <FormSettings>
    <Form xsi:type="ItemRead">
      <DesktopSettings>
        <SourceLocation DefaultValue="${escape(base)}/pane"/>
        <RequestedHeight>300</RequestedHeight>
      </DesktopSettings>
    </Form>
  </FormSettings>
  <Permissions>ReadItem</Permissions>
  <Rule xsi:type="ItemIs" ItemType="Message" FormType="Read"/>
  <DisableEntityHighlighting>true</DisableEntityHighlighting>
  <VersionOverrides xmlns="http://schemas.microsoft.com/office/mailappversionoverrides" xsi:type="VersionOverridesV1_0">
    <Requirements><bt:Sets DefaultMinVersion="1.8"><bt:Set Name="Mailbox"/></bt:Sets></Requirements>
    <Hosts><Host xsi:type="MailHost"><DesktopFormFactor>
      ${taskPane()}
    </DesktopFormFactor></Host></Hosts>
    ${resources(addIn, false)}
    <VersionOverrides xmlns="http://schemas.microsoft.com/office/mailappversionoverrides/1.1" xsi:type="VersionOverridesV1_1">
      <Requirements><bt:Sets DefaultMinVersion="1.14"><bt:Set Name="Mailbox"/></bt:Sets></Requirements>
      <Hosts><Host xsi:type="MailHost">
        <Runtimes>
          <Runtime resid="Events.Url"><Override type="javascript" resid="Script.Url"/></Runtime>
        </Runtimes>
        <DesktopFormFactor>
          <FunctionFile resid="Events.Url"/>
          ${taskPane()}
          ${spamReport()}
        </DesktopFormFactor>
      </Host></Hosts>
      ${resources(addIn, true)}
    </VersionOverrides>
  </VersionOverrides>
</OfficeApp>
`;
}

function taskPane(): string {
  return `<ExtensionPoint xsi:type="MessageReadCommandSurface">
        <OfficeTab id="TabDefault"><Group id="reportGroup">
          <Label resid="Name.Text"/>
          <Control xsi:type="Button" id="reportPane">
            ${appearance()}
            <Action xsi:type="ShowTaskpane"><SourceLocation resid="Pane.Url"/></Action>
          </Control>
        </Group></OfficeTab>
      </ExtensionPoint>`;
}

function spamReport(): string {
  return `<ExtensionPoint xsi:type="ReportPhishingCommandSurface">
            <ReportPhishingCustomization>
              <Control xsi:type="Button" id="reportSpam">
                ${appearance()}
                <Action xsi:type="ExecuteFunction"><FunctionName>onMessageReport</FunctionName></Action>
              </Control>
              <PreProcessingDialog>
                <Title resid="Name.Text"/>
                <Description resid="Dialog.Text"/>
              </PreProcessingDialog>
              <SourceLocation resid="Events.Url"/>
            </ReportPhishingCustomization>
          </ExtensionPoint>`;
}

function appearance(): string {
  const icons = BUTTON_SIZES.map((size) => `<bt:Image size="${size}" resid="Icon.${size}"/>`);
  return `<Label resid="Name.Text"/>
            <Supertip><Title resid="Name.Text"/><Description resid="About.Text"/></Supertip>
            <Icon>${icons.join('')}</Icon>`;
}

function resources(addIn: AddIn, hasEvents: boolean): string {
  const { base } = addIn;
  const images = BUTTON_SIZES.map((size) => `<bt:Image id="Icon.${size}" DefaultValue="${iconUrl(addIn, size)}"/>`);
  const paneUrls = overrides((language) => `${base}/pane?language=${language}`);
  const eventUrls = `<bt:Url id="Events.Url" DefaultValue="${escape(base)}/events"/>
        <bt:Url id="Script.Url" DefaultValue="${escape(base)}/events.js"/>`;
  return `<Resources>
      <bt:Images>${images.join('')}</bt:Images>
      <bt:Urls>
        <bt:Url id="Pane.Url" DefaultValue="${escape(base)}/pane?language=en">${paneUrls}</bt:Url>
        ${hasEvents ? eventUrls : ''}
      </bt:Urls>
      <bt:ShortStrings>${text('Name.Text', ({ name }) => name)}</bt:ShortStrings>
      <bt:LongStrings>${text('About.Text', ({ about }) => about)}${
        hasEvents ? text('Dialog.Text', ({ dialog }) => dialog) : ''
      }</bt:LongStrings>
    </Resources>`;
}

type Select = (messages: ManifestMessages) => string;

function text(id: string, select: Select): string {
  const others = overrides((language) => select(manifestMessages[language]));
  return `<bt:String id="${id}" DefaultValue="${escape(select(manifestMessages.en))}">${others}</bt:String>`;
}

function overrides(select: (language: (typeof OTHERS)[number]) => string): string {
  return listLocales()
    .map(([locale, language]) => `<bt:Override Locale="${locale}" Value="${escape(select(language))}"/>`)
    .join('');
}

function localized(element: string, select: Select): string {
  const others = listLocales().map(
    ([locale, language]) => `<Override Locale="${locale}" Value="${escape(select(manifestMessages[language]))}"/>`,
  );
  return `<${element} DefaultValue="${escape(select(manifestMessages.en))}">${others.join('')}</${element}>`;
}

function listLocales(): [locale: string, language: (typeof OTHERS)[number]][] {
  return OTHERS.flatMap((language) => LOCALES[language].map((locale): [string, typeof language] => [locale, language]));
}

function iconUrl({ origin }: AddIn, size: (typeof ICON_SIZES)[number]): string {
  return escape(`${origin}${ICONS.get(size)!.path}`);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

function escape(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
