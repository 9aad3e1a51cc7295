; Installs the folder of the bundle for one user: iscc /DVersion=0.1.0 packaging\tapdesk.iss (packaging/installer calls it)
; No administrator, a line in the Start menu, .tapdesk files open by double-click, silent with /VERYSILENT, and all of it
; goes again. Settings and copies of unsaved work are the user's and stay.
#ifndef Version
  #error Say which version: iscc /DVersion=...
#endif

[Setup]
AppId={{84D01583-1CFC-54A8-BE3A-A998540E0857}
AppName=tapdesk
AppVersion={#Version}
AppVerName=tapdesk {#Version}
AppPublisher=the tapdesk authors
VersionInfoVersion={#Version}
VersionInfoDescription=tapdesk
; Nobody is asked for the word of an administrator, nothing is written outside the user's folders.
PrivilegesRequired=lowest
DefaultDirName={userpf}\tapdesk
DisableDirPage=no
DisableProgramGroupPage=yes
; As Qt's own libraries ask for: Windows 10, version 1809.
MinVersion=10.0.17763
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
SourceDir=..\dist\tapdesk
OutputDir=..
OutputBaseFilename=tapdesk-{#Version}-windows-amd64-setup
SetupIconFile=..\..\build\tapdesk.ico
UninstallDisplayIcon={app}\tapdesk.exe
UninstallDisplayName=tapdesk
LicenseFile=licences\tapdesk.txt
ChangesAssociations=yes
; A window that is open is asked to close, and asks in turn about unsaved work.
CloseApplications=yes
RestartApplications=no
Compression=lzma2/max
SolidCompression=yes
WizardStyle=modern

[Tasks]
Name: "association"; Description: "Open .tapdesk projects with tapdesk"

[InstallDelete]
; Nothing of an older version stays among the files of this one.
Type: filesandordirs; Name: "{app}\_internal"
Type: filesandordirs; Name: "{app}\licences"

[Files]
Source: "*"; DestDir: "{app}"; Flags: recursesubdirs createallsubdirs ignoreversion

[Icons]
Name: "{userprograms}\tapdesk"; Filename: "{app}\tapdesk.exe"; Comment: "How much of the agreement between raters is knowledge and how much is luck"

[Registry]
Root: HKCU; Subkey: "Software\Classes\.tapdesk\OpenWithProgids"; ValueType: string; ValueName: "tapdesk.project"; ValueData: ""; Flags: uninsdeletevalue; Tasks: association
Root: HKCU; Subkey: "Software\Classes\tapdesk.project"; ValueType: string; ValueName: ""; ValueData: "tapdesk project"; Flags: uninsdeletekey; Tasks: association
Root: HKCU; Subkey: "Software\Classes\tapdesk.project\DefaultIcon"; ValueType: string; ValueName: ""; ValueData: "{app}\tapdesk.exe,0"; Tasks: association
Root: HKCU; Subkey: "Software\Classes\tapdesk.project\shell\open\command"; ValueType: string; ValueName: ""; ValueData: """{app}\tapdesk.exe"" ""%1"""; Tasks: association

[Run]
Filename: "{app}\tapdesk.exe"; Description: "Start tapdesk"; Flags: postinstall nowait skipifsilent unchecked
