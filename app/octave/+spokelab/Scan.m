classdef Scan < handle
%SCAN  A scan that SPOKELAB.READ or SPOKELAB.SIMULATE made.
%   Properties: dims, size (pixels), fov (mm), coils, slices, frames, json (contents and the reader's decisions).
%
%   Methods
%       k = S.points(frame)   (dims x samples) cycles per field of view; frame 1 if left out
%       y = S.values(frame)   (samples x coils x slices), single
%       m = S.reconstruct(NAME, VALUE, ...)   as SPOKELAB.RECONSTRUCT
%
%   See also SPOKELAB.READ, SPOKELAB.SIMULATE, SPOKELAB.RECONSTRUCT.

  properties (SetAccess = private)
    dims
    size
    fov
    coils
    slices
    frames
    json
  end
  properties (SetAccess = private, Hidden = true)
    id = 0
  end

  methods
    function this = Scan(id)
      this.id = id;
      about = spokelab_mex('describe', id);
      for name = fieldnames(about)'
        this.(name{1}) = about.(name{1});
      end
    end

    function k = points(this, frame)
      if nargin < 2
        frame = 1;
      end
      k = spokelab_mex('scanPoints', this.id, frame);
    end

    function y = values(this, frame)
      if nargin < 2
        frame = 1;
      end
      y = spokelab_mex('scanValues', this.id, frame);
    end

    function [image, json, fov] = reconstruct(this, varargin)
      [image, json, fov] = spokelab.reconstruct(this, varargin{:});
    end

    function delete(this)
      if this.id > 0
        spokelab_mex('destroy', this.id);
        this.id = 0;
      end
    end
  end
end
