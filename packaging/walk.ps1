# Walks through the archive for Windows as its users meet it: pwsh packaging/walk.ps1 ARCHIVE FOLDER-FOR-PICTURES
# The zip, or the setup, which the ordinary user then runs silently and takes away again. As packaging/walk: as downloaded,
# into a path with spaces and umlauts; an ordinary user; the network blocked: selftest, a table of ratings to a PDF, the window
# with that table as a picture. Needs an administrator, who makes the user.
param([Parameter(Mandatory)] [string] $Archive, [Parameter(Mandatory)] [string] $Pictures)
$ErrorActionPreference = "Stop"
Set-StrictMode -Version Latest

function Stop-Walk([string] $Why) { Write-Error "walk: $Why" }

$archive = (Resolve-Path $Archive).Path
$wanted = ((Get-Content "$archive.sha256") -split " ")[0]
if ((Get-FileHash $archive -Algorithm SHA256).Hash -ne $wanted) { Stop-Walk "The checksum does not hold." }
New-Item -ItemType Directory -Force $Pictures | Out-Null
$work = Join-Path $env:SystemDrive "walk"
$place = Join-Path $work "Ärzte & Prüfer (2. Versuch)"
$own = Join-Path $work "own"
New-Item -ItemType Directory -Force $place, $own | Out-Null
$setup = $archive.EndsWith(".exe")
if (-not $setup) { Expand-Archive $archive $place }
$window = Join-Path $place "tapdesk\tapdesk.exe"
$program = Join-Path $place "tapdesk\tapdesk-cli.exe"
$ratings = Join-Path $own "Prüfung der Weine.csv"

# An ordinary user, who may read the program and write into one folder.
$word = "Walk-" + [guid]::NewGuid().ToString()
$secret = ConvertTo-SecureString $word -AsPlainText -Force
New-LocalUser "walker" -Password $secret -AccountNeverExpires | Out-Null
Add-LocalGroupMember -SID "S-1-5-32-545" -Member "walker"
icacls $place /grant "walker:(OI)(CI)RX" /T /Q | Out-Null
icacls $own /grant "walker:(OI)(CI)M" /T /Q | Out-Null
$walker = [pscredential]::new("$env:COMPUTERNAME\walker", $secret)

# As the ordinary user, who is no administrator.
function Start-Walk([string] $What, [string[]] $Words) {
    $done = Start-Process $What -ArgumentList $Words -Credential $walker -LoadUserProfile -WorkingDirectory $own -Wait -PassThru
    $done.ExitCode
}

$type = "HKCU\Software\Classes\.tapdesk\OpenWithProgids"
if ($setup) {
    icacls $place /grant "walker:(OI)(CI)M" /T /Q | Out-Null
    $copy = Join-Path $own "setup.exe"
    Copy-Item $archive $copy
    $where = '/DIR="' + (Join-Path $place "tapdesk") + '"'
    $code = Start-Walk $copy "/VERYSILENT", "/SUPPRESSMSGBOXES", "/NORESTART", $where
    if ($code -ne 0) { Stop-Walk "The setup ended with $code." }
    if ((Start-Walk "reg.exe" "query", $type, "/v", "tapdesk.project") -ne 0) { Stop-Walk "Projects are not opened by double-click." }
}
Copy-Item (Join-Path $place "tapdesk\_internal\resources\samples\jury.csv") $ratings

# Whatever the programs of the archive ask the network for is refused.
foreach ($one in $window, $program) {
    New-NetFirewallRule -DisplayName "walk $one" -Direction Outbound -Program $one -Action Block | Out-Null
}
Set-NetFirewallProfile -All -Enabled True

function Invoke-Walk([string[]] $Words) {
    $out, $err = (Join-Path $own "out.txt"), (Join-Path $own "err.txt")
    $quoted = $Words | ForEach-Object { '"' + $_ + '"' }
    $done = Start-Process $program -ArgumentList $quoted -Credential $walker -LoadUserProfile -WorkingDirectory $own `
        -RedirectStandardOutput $out -RedirectStandardError $err -Wait -PassThru -WindowStyle Hidden
    Get-Content $out -Encoding utf8 | Select-Object -First 5 | Write-Host
    if ($done.ExitCode -ne 0) { Stop-Walk "$($Words[0]) ended with $($done.ExitCode): $(Get-Content $err -Raw)" }
    Get-Content $out -Encoding utf8 -Raw
}

Invoke-Walk "--version" | Out-Null
Invoke-Walk "selftest" | Out-Null
$check = Invoke-Walk "check", $ratings
if ($check -notmatch "183 rows") { Stop-Walk "The table was read otherwise." }
Invoke-Walk "fit", $ratings, "--class1", "gold" | Out-Null
$report = Join-Path $own "Bericht über Weine.pdf"
Invoke-Walk "report", $ratings, "--class1", "gold", "--form", "brief", "-o", $report | Out-Null
$first = [System.Text.Encoding]::ASCII.GetString([System.IO.File]::ReadAllBytes($report), 0, 5)
if ($first -ne "%PDF-") { Stop-Walk "The report is no PDF." }
Copy-Item $report (Join-Path $Pictures "report.pdf")

# The screen belongs to who is logged in.
$shown = Start-Process $window -ArgumentList ('"' + $ratings + '"') -PassThru
$until = (Get-Date).AddMinutes(2)
while ((Get-Date) -lt $until -and -not $shown.HasExited -and $shown.MainWindowTitle -notmatch "Weine") {
    Start-Sleep -Milliseconds 500
    $shown.Refresh()
}
if ($shown.HasExited) { Stop-Walk "The program ended by itself with $($shown.ExitCode)." }
if ($shown.MainWindowTitle -notmatch "Weine") { Stop-Walk "There is no window, or it is called '$($shown.MainWindowTitle)'." }
Start-Sleep -Seconds 3 # what it shows is drawn
Add-Type -AssemblyName System.Windows.Forms, System.Drawing
$screen = [System.Windows.Forms.Screen]::PrimaryScreen.Bounds
$picture = [System.Drawing.Bitmap]::new($screen.Width, $screen.Height)
$pen = [System.Drawing.Graphics]::FromImage($picture)
$pen.CopyFromScreen($screen.Location, [System.Drawing.Point]::Empty, $screen.Size)
$picture.Save((Join-Path (Resolve-Path $Pictures) "window.png"), [System.Drawing.Imaging.ImageFormat]::Png)
Stop-Process $shown
$shown.WaitForExit()
if ($setup) {
    $code = Start-Walk (Join-Path $place "tapdesk\unins000.exe") "/VERYSILENT", "/SUPPRESSMSGBOXES", "/NORESTART"
    if ($code -ne 0) { Stop-Walk "Taking it away ended with $code." }
    # It goes on as a copy of itself for a moment.
    $until = (Get-Date).AddMinutes(1)
    while ((Get-Date) -lt $until -and (Test-Path $window)) { Start-Sleep -Milliseconds 500 }
    if (Test-Path $window) { Stop-Walk "The program is still there." }
    if ((Start-Walk "reg.exe" "query", $type, "/v", "tapdesk.project") -eq 0) { Stop-Walk "Projects are still its own." }
}
Write-Host "walk: $(Split-Path $archive -Leaf): selftest, PDF and window, as an ordinary user, without the network"
