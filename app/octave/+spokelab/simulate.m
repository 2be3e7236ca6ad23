function scan = simulate(varargin)
%SIMULATE  Simulate a scan of an analytic phantom.
%   S = SPOKELAB.SIMULATE(NAME, VALUE, ...) takes the options of `spokelab-cli simulate --help`.
%
%   Example
%       s = spokelab.simulate('pattern', 'spiral', 'matrix', 64, 'coils', 4);
%
%   See also SPOKELAB.READ, SPOKELAB.RECONSTRUCT.
  scan = spokelab.Scan(spokelab_mex('simulate', spokelab.internal.pairTexts(varargin)));
end
