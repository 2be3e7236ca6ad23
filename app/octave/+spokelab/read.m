function scan = read(file, varargin)
%READ  Read a scan: ISMRMRD, described arrays, or the built-in 'demo' and 'demo-field'.
%   S = SPOKELAB.READ(FILE) gives a SPOKELAB.SCAN. S = SPOKELAB.READ(FILE, TOPIC, CHOICE, ...) overrules decisions of the
%   reader, as --set of the command line does.
%
%   Example
%       s = spokelab.read('scan.h5', 'matrix', '256x256');
%       m = s.reconstruct('method', 'sense');
%
%   See also SPOKELAB.SCAN, SPOKELAB.SIMULATE, SPOKELAB.RECONSTRUCT.
  scan = spokelab.Scan(spokelab_mex('read', char(file), spokelab.internal.pairTexts(varargin)));
end
